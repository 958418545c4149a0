// A quarter (y >= 0, z >= 0) of a link of the four-bar linkage: a bar along +x with an eye at either end, pins along z through
// (0, 0, 0) and (length, 0, 0). SI units (m). The profile is extruded in one layer; meshes/mirror.py makes the whole.
DefineConstant[ length = 0.3, height = 0.008, width = 0.010, eye = 0.009, hole = 0.004, size = 0.010, eye_size = 0.006 ];
neck = Sqrt(eye^2 - (height / 2)^2);  // where the bar's edge leaves the eye

Point(1) = {0, 0, 0, eye_size};
Point(2) = {length, 0, 0, eye_size};
Point(3) = {-eye, 0, 0, eye_size};
Point(4) = {0, eye, 0, eye_size};
Point(5) = {neck, height / 2, 0, eye_size};
Point(6) = {length - neck, height / 2, 0, eye_size};
Point(7) = {length, eye, 0, eye_size};
Point(8) = {length + eye, 0, 0, eye_size};
Point(9) = {length + hole, 0, 0, eye_size};
Point(10) = {length, hole, 0, eye_size};
Point(11) = {length - hole, 0, 0, eye_size};
Point(12) = {hole, 0, 0, eye_size};
Point(13) = {0, hole, 0, eye_size};
Point(14) = {-hole, 0, 0, eye_size};
Point(15) = {length / 2, 0, 0, size};

Circle(1) = {3, 1, 4};
Circle(2) = {4, 1, 5};
Line(3) = {5, 6};
Circle(4) = {6, 2, 7};
Circle(5) = {7, 2, 8};
Line(6) = {8, 9};
Circle(7) = {9, 2, 10};
Circle(8) = {10, 2, 11};
Line(9) = {11, 15};
Line(10) = {15, 12};
Circle(11) = {12, 1, 13};
Circle(12) = {13, 1, 14};
Line(13) = {14, 3};
Curve Loop(1) = {1:13};
Plane Surface(1) = {1};
Transfinite Curve {3} = 1 + Round((length - 2 * neck) / size);
Transfinite Curve {9, 10} = 1 + Round((length / 2 - hole) / size);
Transfinite Curve {1, 5, 7, 8, 11, 12} = 3;
Transfinite Curve {2, 4} = 2;

made[] = Extrude {0, 0, width / 2} { Surface{1}; Layers{1}; };
// The wall of each hole, where the pin bears: made[2 ...] are the walls over the curves 1 to 13.
Physical Surface("end_eye") = {made[8], made[9]};
Physical Surface("start_eye") = {made[12], made[13]};
Physical Volume("bar") = {made[1]};

Mesh.ElementOrder = 2;
Mesh.MshFileVersion = 4.1;
