// A quarter (y >= 0, z >= 0) of the connecting rod of circular section along +x from the origin; by default of diameter 6 mm
// and length 300 mm. SI units (m). `sectors` sectors around the centreline are extruded in `layers` layers; mirror.py makes
// the whole.
DefineConstant[ layers = 84, sectors = 3, length = 0.3, diameter = 0.006 ];
radius = diameter / 2;

Point(1) = {0, 0, 0};
For i In {0:sectors}
  angle = i * Pi / (2 * sectors);
  Point(2 + i) = {0, radius * Cos(angle), radius * Sin(angle)};
  Line(1 + i) = {1, 2 + i};
EndFor
For i In {0:sectors - 1}
  Circle(101 + i) = {2 + i, 1, 3 + i};
  Curve Loop(1 + i) = {1 + i, 101 + i, -(2 + i)};
  Plane Surface(1 + i) = {1 + i};
EndFor
Transfinite Curve {1:sectors + 1} = 2;
Transfinite Curve {101:100 + sectors} = 2;

volumes[] = {};
ends[] = {};
For i In {1:sectors}
  made[] = Extrude {length, 0, 0} { Surface{i}; Layers{layers}; };
  ends[] += made[0];
  volumes[] += made[1];
EndFor
Physical Surface("big_end_face") = {1:sectors};
Physical Surface("small_end_face") = {ends[]};
Physical Volume("rod") = {volumes[]};

Mesh.ElementOrder = 2;
Mesh.MshFileVersion = 4.1;
