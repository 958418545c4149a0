// A round shaft along +x from the origin, of hex20 elements. SI units (m).
DefineConstant[ length = 1.2, diameter = 0.04, layers = 24 ];
radius = diameter / 2;

Point(1) = {0, 0, 0};
For i In {0:7}
  Point(2 + i) = {0, radius * Cos(i * Pi / 4), radius * Sin(i * Pi / 4)};
EndFor
For i In {0:3}
  // Half as far out on the axes, a little more between them: the corners of the inner square.
  Point(10 + i) = {0, 0.55 * radius * Cos(i * Pi / 2 + Pi / 4), 0.55 * radius * Sin(i * Pi / 2 + Pi / 4)};
EndFor
For i In {0:3}
  Circle(1 + i) = {3 + 2 * i, 1, 3 + (2 * i + 2) % 8};
  Line(5 + i) = {10 + i, 10 + (i + 1) % 4};
  Line(9 + i) = {10 + i, 3 + 2 * i};
EndFor
Curve Loop(1) = {5:8};
Plane Surface(1) = {1};
For i In {0:3}
  Curve Loop(2 + i) = {9 + i, 1 + i, -(9 + (i + 1) % 4), -(5 + i)};
  Plane Surface(2 + i) = {2 + i};
EndFor
Transfinite Curve {1:8} = 3;
Transfinite Curve {9:12} = 2;
Transfinite Surface {1:5};
Recombine Surface {1:5};

volumes[] = {};
ends[] = {};
For i In {1:5}
  made[] = Extrude {length, 0, 0} { Surface{i}; Layers{layers}; Recombine; };
  ends[] += made[0];
  volumes[] += made[1];
EndFor
Physical Surface("left") = {1:5};
Physical Surface("right") = {ends[]};
Physical Volume("shaft") = {volumes[]};

Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
Mesh.MshFileVersion = 4.1;
