// Connecting rod of rectangular section, length 300 mm along +x from the origin. SI units (m).
// Its area and its second moment for bending in the x-y plane are those of the circle of diameter d = 6 mm:
//   b h = pi d^2/4,  b h^3/12 = pi d^4/64   =>   h = sqrt(3)/2 d (along y),  b = pi d / (2 sqrt(3)) (along z)
// Four quarters of the section, diagonals mirrored in both middle lines, are extruded in `layers` layers.
DefineConstant[ layers = 124 ];
length = 0.3;
d = 0.006;
h = Sqrt(3) / 2 * d;
b = Pi * d / (2 * Sqrt(3));

For j In {0:2}
  For i In {0:2}
    Point(1 + i + 3 * j) = {0, (i - 1) * h / 2, (j - 1) * b / 2};
  EndFor
EndFor
For j In {0:2}
  For i In {0:1}
    Line(1 + i + 2 * j) = {1 + i + 3 * j, 2 + i + 3 * j};
  EndFor
EndFor
For j In {0:1}
  For i In {0:2}
    Line(11 + i + 3 * j) = {1 + i + 3 * j, 4 + i + 3 * j};
  EndFor
EndFor
For j In {0:1}
  For i In {0:1}
    Curve Loop(1 + i + 2 * j) = {1 + i + 2 * j, 12 + i + 3 * j, -(3 + i + 2 * j), -(11 + i + 3 * j)};
    Plane Surface(1 + i + 2 * j) = {1 + i + 2 * j};
  EndFor
EndFor
Transfinite Curve {1:6, 11:16} = 2;
Transfinite Surface {1, 4} Right;
Transfinite Surface {2, 3} Left;

volumes[] = {};
ends[] = {};
For i In {1:4}
  made[] = Extrude {length, 0, 0} { Surface{i}; Layers{layers}; };
  ends[] += made[0];
  volumes[] += made[1];
EndFor
Physical Surface("big_end_face") = {1:4};
Physical Surface("small_end_face") = {ends[]};
Physical Volume("rod") = {volumes[]};

Mesh.ElementOrder = 2;
Mesh.MshFileVersion = 4.1;
