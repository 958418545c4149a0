// Connecting rod of circular section along +x from the origin; by default of diameter 6 mm and length 300 mm. SI units (m).
// Six sectors around the centreline, each with `arcs` triangles, are extruded in `layers` layers.
DefineConstant[ layers = 84, arcs = 2, length = 0.3, diameter = 0.006 ];
radius = diameter / 2;

Point(1) = {0, 0, 0};
For i In {0:5}
  Point(2 + i) = {0, radius * Cos(i * Pi / 3), radius * Sin(i * Pi / 3)};
EndFor
For i In {0:5}
  Line(1 + i) = {1, 2 + i};
  Circle(11 + i) = {2 + i, 1, 2 + (i + 1) % 6};
EndFor
For i In {0:5}
  Curve Loop(1 + i) = {1 + i, 11 + i, -(1 + (i + 1) % 6)};
  Plane Surface(1 + i) = {1 + i};
EndFor
Transfinite Curve {1:6} = 2;
Transfinite Curve {11:16} = arcs + 1;

volumes[] = {};
ends[] = {};
For i In {1:6}
  made[] = Extrude {length, 0, 0} { Surface{i}; Layers{layers}; };
  ends[] += made[0];
  volumes[] += made[1];
EndFor
Physical Surface("big_end_face") = {1:6};
Physical Surface("small_end_face") = {ends[]};
Physical Volume("rod") = {volumes[]};

Mesh.ElementOrder = 2;
Mesh.MshFileVersion = 4.1;
