#!/usr/bin/env python3
"""Products and additions of one evaluation of forward dynamics by sweeps, counted as executed, beside the formulas of P-RECURSIVE 8.

    benchmarks/operation_counts/count.py build/benchmarks/benchmark_operation_counts

valgrind's callgrind says how often each instruction between entry and exit of the evaluation was executed, objdump which they are: each is
worth its lanes, a fused one a product and an addition. Divisions and square roots are counted as products; sines and cosines (libm) not.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

PRODUCT = re.compile(r"^v?mul([sp])d$")
DIVISION = re.compile(r"^v?(div|sqrt)([sp])d$")
ADDITION = re.compile(r"^v?(add|sub|addsub|hadd|hsub)([sp])d$")
FUSED = re.compile(r"^vf(n?m)(add|sub|addsub|subadd)[0-9]{3}([sp])d$")
LANES = {"x": 2, "y": 4, "z": 8}
STAGES = ["outwards", "elimination"]  # of the sweeps; "composite" is the other way


def lanes(kind, operands):
    """Of a scalar or packed instruction, by its register."""
    register = re.search(r"%([xyz])mm", operands)
    return 1 if kind == "s" else LANES[register.group(1)]


def operations(binary):
    """(products, additions) of each floating-point instruction, by address."""
    found = {}
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", str(binary)], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        part = line.split("\t")
        if len(part) < 2 or not part[0].strip().endswith(":"):
            continue
        word, _, operands = part[1].partition(" ")
        if match := PRODUCT.match(word):
            found[int(part[0].strip()[:-1], 16)] = (lanes(match.group(1), operands), 0)
        elif match := DIVISION.match(word):
            found[int(part[0].strip()[:-1], 16)] = (lanes(match.group(2), operands), 0)
        elif match := ADDITION.match(word):
            found[int(part[0].strip()[:-1], 16)] = (0, lanes(match.group(2), operands))
        elif match := FUSED.match(word):
            n = lanes(match.group(3), operands)
            found[int(part[0].strip()[:-1], 16)] = (n, n)
    return found


def executed(out):
    """How often each instruction was, by the object that holds it, its address there and the function."""
    counts, obj, function, skip = collections.Counter(), None, None, False
    for line in out.read_text().splitlines():
        if line.startswith("ob="):
            obj = line[3:]
        elif line.startswith("fn="):
            function = line[3:]
        elif line.startswith("calls="):
            skip = True  # the line after it is the cost of what is called
        elif line.startswith("0x"):
            if not skip:
                word = line.split()
                counts[obj, int(word[0], 16), function] += int(word[1])
            skip = False
    return counts


class Counter:
    def __init__(self, program):
        self.program, self.operations = program, {}
        self.of_functions = {}  # of the last count()

    def sweeps(self, n, n_modes):
        """Of all stages, and of their functions together."""
        parts = []
        functions = collections.defaultdict(lambda: [0, 0])
        for stage in STAGES:
            parts.append(self.count(n, n_modes, stage))
            for function, of_one in self.of_functions.items():
                for i in range(2):
                    functions[function][i] += of_one[i]
        self.of_functions = functions
        return sum(p[0] for p in parts), sum(p[1] for p in parts), dict(zip(STAGES, parts))

    def count(self, n, n_modes, stage):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out"
            run = subprocess.run(["valgrind", "--tool=callgrind", "--dump-instr=yes", "--dump-line=no", "--compress-strings=no", "--compress-pos=no",
                            f"--toggle-collect=counted_{stage}", f"--callgrind-out-file={out}", self.program, str(n), str(n_modes)],
                           capture_output=True, text=True)
            if "Unrecognised instruction" in run.stderr:
                sys.exit("valgrind does not know an instruction of this build (AVX-512?): compile for AVX2, see README.md")
            if run.returncode:
                sys.exit(f"{self.program} {n} {n_modes} ended with status {run.returncode} under valgrind: {run.stderr[-500:]}")
            counts = executed(out)
        products = additions = 0
        self.of_functions = collections.defaultdict(lambda: [0, 0])
        for (obj, address, function), times in counts.items():
            if not obj or not ("solidyn" in obj or obj.endswith(pathlib.Path(self.program).name)):
                continue
            if obj not in self.operations:
                self.operations[obj] = operations(obj)
            of_one = self.operations[obj].get(address, (0, 0))
            products += times * of_one[0]
            additions += times * of_one[1]
            for i in range(2):
                self.of_functions[function][i] += times * of_one[i]
        return products, additions


def of_paper(n, n_modes):
    """Table 1, with 19959 for the printed 19591: growth per body, and what the first of three bodies is short of."""
    table = {5: (5223, 4195, 2456, 1960), 10: (11432, 9677, 5393, 4546), 15: (18587, 16287, 8753, 7646)}
    if n_modes not in table:
        return None
    products, additions, more_products, more_additions = table[n_modes]
    return products + (n - 3) * more_products, additions + (n - 3) * more_additions


def print_crossover(counter, n_modes, most):
    rows, first = {}, None
    for n in range(1, most + 1):
        sweeps, composite = counter.sweeps(n, n_modes)[:2], counter.count(n, n_modes, "composite")
        rows[n] = [sum(sweeps), sum(composite)]
        if sum(sweeps) >= sum(composite):
            first = None
        elif first is None:
            first = n
    print(json.dumps({"modes": n_modes, "operations of sweeps and of composite bodies": rows, "sweeps take less from": first}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--modes", type=int, nargs="*", default=[0, 5, 10, 15])
    parser.add_argument("--functions", type=int, default=0, metavar="N", help="of each count the N functions that do most of it")
    parser.add_argument("--stages", action="store_true", help="of each chain of three bodies the stages of the sweeps, too")
    parser.add_argument("--bodies", type=int, nargs="*", default=[3, 6, 9])
    parser.add_argument("--composite", type=int, default=0, metavar="N", help="chains of 1 to N bodies by the mass matrix of composite bodies, too: from how many on the sweeps take less")
    arguments = parser.parse_args()
    counter = Counter(arguments.program)
    for n_modes in arguments.modes:
        before = None
        for n in arguments.bodies:
            products, additions, stages = counter.sweeps(n, n_modes)
            of_functions = counter.of_functions
            row = {"bodies": n, "modes": n_modes, "products": products, "additions": additions, "paper": of_paper(n, n_modes)}
            if before:
                row["growth per body"] = [round((now - then) / (n - before[0])) for now, then in zip((products, additions), before[1:])]
            before = (n, products, additions)
            if arguments.stages and n == 3:
                row["stages"] = stages
            print(json.dumps(row), flush=True)
            largest = sorted(of_functions.items(), key=lambda f: -sum(f[1]))
            for function, (of_products, of_additions) in largest[: arguments.functions]:
                print(f"    {of_products:8d} {of_additions:8d}  {function}", flush=True)
        if arguments.composite:
            print_crossover(counter, n_modes, arguments.composite)


if __name__ == "__main__":
    main()
