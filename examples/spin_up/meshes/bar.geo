// A square bar along +x from the origin, centred on the x axis, of hex20 elements. SI units (m). Nodes on the
// centreline at both ends and, with an even number of layers, in the middle.
DefineConstant[ length = 10, side = 0.0774596669, layers = 40, cells = 2 ];

Point(1) = {0, -side / 2, -side / 2};
Point(2) = {0, side / 2, -side / 2};
Point(3) = {0, side / 2, side / 2};
Point(4) = {0, -side / 2, side / 2};
For i In {1:4}
  Line(i) = {i, 1 + i % 4};
EndFor
Curve Loop(1) = {1:4};
Plane Surface(1) = {1};
Transfinite Curve {1:4} = cells + 1;
Transfinite Surface {1};
Recombine Surface {1};

made[] = Extrude {length, 0, 0} { Surface{1}; Layers{layers}; Recombine; };
Physical Surface("root") = {1};
Physical Surface("tip") = {made[0]};
Physical Volume("bar") = {made[1]};

Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
Mesh.MshFileVersion = 4.1;
