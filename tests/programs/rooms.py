"""scripts/check_rooms, which scripts/lint runs: it is content with the tree, and not with a tree where a room uses one that it may not.

    rooms.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import subprocess
import sys
import tempfile

from support import SOURCE

CHECK = SOURCE / "scripts" / "check_rooms"


def check(root):
    return subprocess.run([CHECK, "--root", root], capture_output=True, text=True)


def written(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def main():
    done = check(SOURCE)
    assert done.returncode == 0 and "use only the rooms" in done.stdout, done.stderr
    for name, text, wanted in [
            ("include/solidyn/mesh/mesh.h", '#include "solidyn/fem/material.h"\n', "mesh may not use fem/kernels"),
            ("src/mesh/mesh.cpp", '#include "fem/assembly/node_rows.h"\n', "mesh may not use fem (fem/assembly/node_rows.h)"),
            ("src/simulation/run.cpp", '\n#include "solidyn/formats/gmsh/gmsh.h"\n', "src/simulation/run.cpp:2: simulation may not use formats"),
            ("src/fem/kernels/pack.h", "#include <petsc.h>\n", "fem/kernels computes alone"),
            ("src/fem/kernels/pack.h", '#include "solidyn/base/mpi.h"\n', "fem/kernels computes alone"),
            ("src/elsewhere/thing.cpp", "", "room `elsewhere` is not in the table"),
            ("src/mesh/mesh.cpp", '#include "solidyn/solidyn.h"\n', "solidyn/solidyn.h is for programs outside of the library"),
            ("src/thing.cpp", "", "lies in no room"), ("src/solidyn.h", "", "lies in no room")]:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            written(root, "src/math/rotation.cpp", '#include "solidyn/base/error.h"\n')
            written(root, "include/solidyn/solidyn.h", '#include "solidyn/simulation/run.h"\n')
            assert check(root).returncode == 0
            written(root, name, text)
            done = check(root)
            assert done.returncode == 1 and wanted in done.stderr, (name, text, done.stderr)
    print("rooms: what is forbidden is found")


if __name__ == "__main__":
    sys.exit(main())
