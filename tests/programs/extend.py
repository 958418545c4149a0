"""The worked examples of examples/extend are built against an installed Solidyn by the commands of their README, find the numbers
that they know, on one rank and on two, and say so where they miss them.

    extend.py --solidyn build/bin/solidyn --mpiexec mpirun --prefix <where it is installed> --compiler c++
"""
import os
import pathlib
import sys
import tempfile

from cpp import BUILD, SHOWN, parsed_arguments, run, shape
from support import EXAMPLES

FOLDER = EXAMPLES / "extend"
README = FOLDER / "README.md"
TYPES = sorted(path.parent.name for path in FOLDER.glob("*/main.cpp"))


def build(arguments, folder, environment):
    """As the README says; the first command, which installs, was carried out for all tests."""
    commands = BUILD.findall(README.read_text())
    assert commands[0] == "cmake --install build --prefix out/solidyn", commands
    (folder / "out").mkdir()
    (folder / "out" / "solidyn").symlink_to(arguments.prefix)
    (folder / "examples").symlink_to(EXAMPLES)
    for command in commands[1:]:
        run(command, folder, environment)


def check_programs(folder, environment):
    """Each by the commands of its first lines."""
    printed = ""
    for name in TYPES:
        program = f"out/extend/{name}/extend_{name}"
        first_lines = (FOLDER / name / "main.cpp").read_text()
        assert f"//   {program}\n" in first_lines and f"//   mpirun -n 2 {program} " in first_lines, f"{name} does not say how to run it"
        on_one, on_two = run(program, folder, environment), run(f"mpirun -n 2 {program}", folder, environment)
        assert on_one == on_two, f"{program} prints other numbers on two ranks:\n{on_one}{on_two}"
        printed += on_one
    lines = {shape(line) for line in printed.splitlines()}
    for block in SHOWN.findall(README.read_text()):
        for line in filter(None, block.splitlines()):
            assert shape(line) in lines, f"{README} shows a line that no program prints: {line}\n{printed}"
    print(f"{len(TYPES)} programs find what is known")


def check_misses(folder, environment):
    """What is wrong ends with a status other than zero: another bar, and a damaged mesh."""
    reader = folder / "reader"
    reader.mkdir()
    for file in (FOLDER / "reader").glob("*.*"):
        (reader / file.name).write_text(file.read_text())
    program = "out/extend/reader/extend_reader reader/hanging_bar.yaml"
    run(program, folder, environment)
    nodes = (reader / "bar.node").read_text()
    (reader / "bar.node").write_text(nodes.replace("-0.6 2", "-0.7 2"))
    run(program, folder, environment, status=1)
    (reader / "bar.node").write_text(nodes.replace("-0.6 2", "-0.6"))
    run(program, folder, environment, status=2)


def check_each_is_a_project(folder, environment):
    """A folder by itself, as one would copy it."""
    run("cmake -S examples/extend/force -B out/alone -D CMAKE_PREFIX_PATH=$PWD/out/solidyn", folder, environment)


def main():
    arguments = parsed_arguments()
    environment = {**os.environ, "CXX": arguments.compiler, "CMAKE_GENERATOR": "Ninja"}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        build(arguments, folder, environment)
        check_programs(folder, environment)
        check_misses(folder, environment)
        check_each_is_a_project(folder, environment)


if __name__ == "__main__":
    sys.exit(main())
