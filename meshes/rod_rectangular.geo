// A quarter (y >= 0, z >= 0) of the connecting rod of rectangular section, length 300 mm along +x from the origin. SI units (m).
// The whole rod's area and second moment for bending in the x-y plane are those of the circle of diameter d = 6 mm:
//   b h = pi d^2/4,  b h^3/12 = pi d^4/64   =>   h = sqrt(3)/2 d (along y),  b = pi d / (2 sqrt(3)) (along z)
// The quarter of the section, cut by its diagonal, is extruded in `layers` layers; mirror.py makes the whole.
DefineConstant[ layers = 124 ];
length = 0.3;
d = 0.006;
h = Sqrt(3) / 2 * d;
b = Pi * d / (2 * Sqrt(3));

Point(1) = {0, 0, 0};
Point(2) = {0, h / 2, 0};
Point(3) = {0, h / 2, b / 2};
Point(4) = {0, 0, b / 2};
For i In {1:4}
  Line(i) = {i, 1 + i % 4};
EndFor
Curve Loop(1) = {1:4};
Plane Surface(1) = {1};
Transfinite Curve {1:4} = 2;
Transfinite Surface {1} Right;

made[] = Extrude {length, 0, 0} { Surface{1}; Layers{layers}; };
Physical Surface("big_end_face") = {1};
Physical Surface("small_end_face") = {made[0]};
Physical Volume("rod") = {made[1]};

Mesh.ElementOrder = 2;
Mesh.MshFileVersion = 4.1;
