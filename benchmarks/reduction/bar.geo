// A bar 1 x 0.1 x 0.1 m of tet10 in regular cells, 50,901 nodes: a body of middle size for comparisons.
DefineConstant[ length_cells = 70, side_cells = 9 ];
Point(1) = {0, 0, 0};
side[] = Extrude {0, 0.1, 0} { Point{1}; Layers{side_cells}; };
face[] = Extrude {0, 0, 0.1} { Curve{side[1]}; Layers{side_cells}; };
bar[] = Extrude {1, 0, 0} { Surface{face[1]}; Layers{length_cells}; };
Physical Surface("x_min") = {face[1]};
Physical Surface("x_max") = {bar[0]};
Physical Volume("bar") = {bar[1]};
Mesh.ElementOrder = 2;
Mesh.MshFileVersion = 4.1;
