"""The programs of examples/cpp are built against an installed Solidyn by the commands of their README, do what it and their first
lines print, on one rank and on two, and say so where an answer is wrong.

    cpp.py --solidyn build/bin/solidyn --mpiexec mpirun --prefix <where it is installed> --compiler c++
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from support import EXAMPLES, SOURCE

README = EXAMPLES / "cpp" / "README.md"
BUILD = re.compile(r"^    (cmake .*)$", re.MULTILINE)
RUN = re.compile(r"^    ((?:mpirun -n \d+ )?out/cpp/.*)$", re.MULTILINE)
FIRST_LINES = re.compile(r"((?:mpirun -n \d+ )?out/cpp/\w+(?: \d+)?)")
SHOWN = re.compile(r"^```text\n(.*?)^```", re.MULTILINE | re.DOTALL)
STABLE = re.compile(r'#include "(solidyn/.*)"')


def parsed_arguments():
    parser = argparse.ArgumentParser()
    for name in ("--solidyn", "--mpiexec", "--prefix", "--compiler"):
        parser.add_argument(name, required=True)
    return parser.parse_args()


def run(command, folder, environment, status=0):
    done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=folder, timeout=600, env=environment)
    assert done.returncode == status, (command, done.returncode, done.stdout, done.stderr)
    return done.stdout


def build(arguments, folder, environment):
    """As the README says; the first command, which installs, was carried out for all tests."""
    commands = BUILD.findall(README.read_text())
    assert commands[0] == "cmake --install build --prefix out/solidyn", commands
    (folder / "out").mkdir()
    (folder / "out" / "solidyn").symlink_to(arguments.prefix)
    (folder / "examples").symlink_to(EXAMPLES)
    for command in commands[1:]:
        run(command, folder, environment)


def commands_of_first_lines():
    for source in sorted((EXAMPLES / "cpp").glob("*.cpp")):
        opening = "".join(line for line in source.read_text().splitlines(True) if line.startswith("//"))
        found = FIRST_LINES.findall(opening)
        assert len(found) >= 2, f"{source} does not say how to run it"
        yield from found


def shape(line):
    """A line without its digits, which may differ in the last place from machine to machine."""
    return re.sub(r"-?\d[\d.e+-]*", "#", " ".join(line.split()))


def check_programs(folder, environment):
    commands = list(dict.fromkeys([*RUN.findall(README.read_text()), *commands_of_first_lines()]))
    printed = {command: run(command, folder, environment) for command in commands}
    for command, text in printed.items():
        if command.startswith("mpirun"):
            assert text == printed[command.split(maxsplit=3)[3]], f"{command} prints other numbers:\n{text}"
    all_lines = {shape(line) for text in printed.values() for line in text.splitlines()}
    for block in SHOWN.findall(README.read_text()):
        for line in block.splitlines():
            assert shape(line) in all_lines, f"{README} shows a line that no program prints: {line}"
    print(f"{len(printed)} commands do what they should")


def check_guides_program(folder, environment):
    """The first program of doc/cpp.md, by the lines for CMake above it."""
    page = (SOURCE / "doc" / "cpp.md").read_text()
    (folder / "first").mkdir()
    (folder / "first" / "main.cpp").write_text(re.search(r"^```cpp\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[1])
    (folder / "first" / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(first LANGUAGES CXX)\n"
        + re.search(r"^```cmake\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[1])
    run("cmake -S first -B out/first -D CMAKE_PREFIX_PATH=$PWD/out/solidyn && cmake --build out/first", folder, environment)
    height = float(run("out/first/my_program", folder, environment).split()[1])
    assert abs(height - (2.0 - 0.5 * 9.81 * 0.5**2)) < 1e-6, height


def check_wrong_answer(folder, environment):
    text = (EXAMPLES / "cpp" / "oscillator.yaml").read_text().replace("mass: 2\n", "mass: 3\n")
    (folder / "heavier.yaml").write_text(text)
    run("out/cpp/parameter_study heavier.yaml", folder, environment, status=1)
    (folder / "heavier.yaml").write_text(text.replace("stiffness", "stifness"))
    run("out/cpp/parameter_study heavier.yaml", folder, environment, status=2)


def check_guide():
    """doc/cpp.md says of each header of the facade what of it is stable."""
    page = (SOURCE / "doc" / "cpp.md").read_text()
    headers = STABLE.findall((SOURCE / "include" / "solidyn" / "solidyn.h").read_text())
    assert len(headers) > 15, headers
    for header in headers:
        assert f"`{header[len('solidyn/'):]}`" in page, f"doc/cpp.md does not tell what is stable in {header}"


def main():
    arguments = parsed_arguments()
    environment = {**os.environ, "CXX": arguments.compiler, "CMAKE_GENERATOR": "Ninja"}
    check_guide()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        build(arguments, folder, environment)
        check_programs(folder, environment)
        check_wrong_answer(folder, environment)
        check_guides_program(folder, environment)


if __name__ == "__main__":
    sys.exit(main())
