// An angle bracket: a leg against the wall x = 0 with two bolt holes, a shelf along +x with a hole for a strut's pin, and
// a rounded inner corner. SI units (m).
SetFactory("OpenCASCADE");
DefineConstant[ size = 0.007, hole_size = 0.003 ];
length = 0.12; height = 0.06; width = 0.03; thickness = 0.004; fillet = 0.008; bolt = 0.003;
pin_x = 0.108; upper_bolt_z = -0.018; lower_bolt_z = -0.044;

Box(1) = {0, -width / 2, -thickness, length, width, thickness};          // shelf, its top at z = 0
Box(2) = {0, -width / 2, -height, thickness, width, height};             // leg
Box(3) = {thickness, -width / 2, -thickness - fillet, fillet, width, fillet};
Cylinder(4) = {thickness + fillet, -width / 2, -thickness - fillet, 0, width, 0, fillet};
BooleanDifference(5) = { Volume{3}; Delete; }{ Volume{4}; Delete; };
BooleanUnion(6) = { Volume{1}; Delete; }{ Volume{2, 5}; Delete; };
Cylinder(7) = {0, 0, upper_bolt_z, thickness, 0, 0, bolt};
Cylinder(8) = {0, 0, lower_bolt_z, thickness, 0, 0, bolt};
Cylinder(9) = {pin_x, 0, -thickness, 0, 0, thickness, bolt};
BooleanDifference(10) = { Volume{6}; Delete; }{ Volume{7, 8, 9}; Delete; };

e = 1e-6;
upper[] = Surface In BoundingBox{-e, -bolt - e, upper_bolt_z - bolt - e, thickness + e, bolt + e, upper_bolt_z + bolt + e};
lower[] = Surface In BoundingBox{-e, -bolt - e, lower_bolt_z - bolt - e, thickness + e, bolt + e, lower_bolt_z + bolt + e};
pin[] = Surface In BoundingBox{pin_x - bolt - e, -bolt - e, -thickness - e, pin_x + bolt + e, bolt + e, e};
top[] = Surface In BoundingBox{-e, -width / 2 - e, -e, length + e, width / 2 + e, e};
Physical Surface("upper_bolt") = upper[];
Physical Surface("lower_bolt") = lower[];
Physical Surface("pin") = pin[];
Physical Surface("top") = top[];
Physical Volume("bracket") = {10};

Mesh.MeshSizeMax = size;
Mesh.MeshSizeMin = hole_size;
Mesh.MeshSizeFromCurvature = 8;
Mesh.MeshSizeExtendFromBoundary = 1;
Mesh.ElementOrder = 2;
Mesh.MshFileVersion = 4.1;
