"""Tries every key of the grammar with every type that it can meet, and says what became of it.

    effects.py --solidyn build/bin/solidyn --mpiexec mpirun [--page doc/effects.md] [--every 5] [--table bodies ...]
    effects.py --solidyn build/bin/solidyn --write doc/effects.md

A cell is a run of a small model with the key, compared with the same model without it: `effect` (results differ),
`refused` (exit status 2 with a message that names the key), `warned` (a warning that names it). A run that takes
a key, gives the same as without it and says nothing is an empty cell and fails the test, unless effects_models.py
says why that is right there (`same`). So does a key of the schema without a probe, and a page that says otherwise.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import effects_models
from effects_models import Swap, merged

MARKS = {"effect": "x", "refused": "-", "warned": "w", "same": "o"}
# A message about the probe's own value, not about the key: then the probe is wrong.
BAD_PROBE = re.compile(r"unknown key|: unknown |: expected |there is no file|: it must be|there is no place|is missing")


def parsed_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--solidyn", required=True)
    parser.add_argument("--mpiexec")
    parser.add_argument("--table", nargs="*", help="only these")
    parser.add_argument("--every", type=int, default=1, help="only each such cell that takes a run of its own")
    parser.add_argument("--page", type=pathlib.Path, help="the page to compare with")
    parser.add_argument("--write", type=pathlib.Path, help="write the page")
    parser.add_argument("--only", default="", help="only cells `type, key` in which this is found")
    parser.add_argument("--tell", action="store_true", help="print each cell and what was said")
    return parser.parse_args()


class Outcome:
    """What a run said and wrote."""

    def __init__(self, solidyn, folder, model):
        with tempfile.TemporaryDirectory(dir=folder) as out:
            out = pathlib.Path(out) / "out"
            path = folder / "model.yaml"
            path.write_text(json.dumps(model, indent=1))
            run = subprocess.run([solidyn, "run", path.name, "-o", str(out)], cwd=folder, capture_output=True, text=True,
                                 timeout=120, env={**os.environ, "SOLIDYN_CACHE": str(folder / "cache")})
            self.status = run.returncode
            self.text = run.stderr.replace(str(out), "out")
            self.warnings = set(re.findall(r"warning: (?:model\.yaml:\d+:\d+: )?(.*)", self.text))
            self.errors = re.findall(r"error: (.*)", self.text)
            self.remedies = re.findall(r"^  (?! )(.*)", self.text, re.MULTILINE)
            self.sizes, told = (), {}
            if (out / "summary.json").exists():
                told = json.loads((out / "summary.json").read_text())
                self.sizes = tuple(told.get(key) for key in ("dofs", "constraints", "steps"))
            self.files = {str(f.relative_to(out)): contents(f) for f in sorted(out.rglob("*")) if is_result(f)}
            if "reflected_inertia" in told:  # which no other file has
                self.files["reflected_inertia"] = json.dumps(told["reflected_inertia"])


def is_result(file):
    if file.name in ("summary.json", "log.txt") or not file.is_file():
        return False
    return file.suffix in (".csv", ".json", ".vtu", ".vtp", ".pvd", ".xdmf", ".mtx", ".m", ".txt")


def contents(file):
    text = file.read_bytes().decode(errors="replace")
    return [line.split(",") for line in text.splitlines()] if file.suffix == ".csv" else text


def numbers_of(row):
    try:
        return [float(cell) for cell in row]
    except ValueError:
        return None


def tables_differ(a, b, round_off):
    """Of two tables as lists of rows: whether a number differs by more than round-off of the largest of its unit."""
    units, largest = a[0], {}
    for x, y in zip(a, b):
        p, q = numbers_of(x), numbers_of(y)
        if len(x) != len(y) or (p is None) != (q is None) or (p is None and x != y):
            return True
        for unit, *pair in zip(units, p or (), q or ()):
            largest[unit] = max([largest.get(unit, 0.0), *map(abs, pair)])
    return len(a) != len(b) or any(
        not abs(p - q) <= round_off * largest[unit] for x, y in zip(a, b) if numbers_of(x) is not None
        for unit, p, q in zip(units, numbers_of(x), numbers_of(y)))


def texts_differ(a, b, round_off):
    """The same for files of another form, whose numbers have one scale."""
    number = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
    if re.sub(number, "", a) != re.sub(number, "", b):
        return True
    pairs = [(float(p), float(q)) for p, q in zip(re.findall(number, a), re.findall(number, b))]
    scale = max((max(abs(p), abs(q)) for p, q in pairs), default=0.0)
    return any(abs(p - q) > round_off * scale for p, q in pairs)


def results_differ(a, b, round_off):
    if a.sizes != b.sizes or a.files.keys() != b.files.keys():
        return True
    return any(x != b.files[name] and (texts_differ if isinstance(x, str) else tables_differ)(x, b.files[name], round_off)
               for name, x in a.files.items())


def names(text, case):
    return not case.words or any(re.search(rf"(?<![A-Za-z_]){re.escape(word)}(?![A-Za-z_])", text) for word in case.words)


def judged(base, probe, case):
    """@return what the key did, or an empty string, and what tells so"""
    if probe.status == 2:
        said = " ".join(probe.errors) or probe.text
        if BAD_PROBE.search(said) and not case.may_be_missing:
            return "", f"the probe is wrong: {said[:300]}"
        return ("refused", said) if names(" ".join([said, *probe.remedies]), case) else ("", f"refused without its name: {said[:300]}")
    if probe.status == 1 and case.may_fail:
        return "effect", f"fails: {' '.join(probe.errors)[:200]}"
    if probe.status not in (0, 3):
        return "", f"exit status {probe.status}: {' '.join(probe.errors)[:300]}"
    if results_differ(base, probe, case.round_off):
        return "effect", "results differ"
    said = " ".join(sorted(probe.warnings - base.warnings))
    if said and names(said, case):
        return "warned", said
    return "", ("no effect, no word " + said).strip()


def with_value(model, path, value):
    model = json.loads(json.dumps(model))
    *parents, last = path
    at = model
    for name in parents:
        at = at[int(name)] if isinstance(at, list) else at.setdefault(name, {})
    if isinstance(value, Swap):
        patched = merged(at, value.patch)
        at.clear()
        at.update(patched)
    elif isinstance(value, dict):
        at[int(last) if isinstance(at, list) else last] = merged(at[int(last)] if isinstance(at, list) else at.get(last, {}), value)
    else:
        at[int(last) if isinstance(at, list) else last] = value
    return model


class Tester:
    def __init__(self, solidyn, folder):
        self.solidyn = solidyn
        self.folder = folder
        self.known = {}

    def outcome(self, model):
        text = json.dumps(model, sort_keys=True)
        if text not in self.known:
            self.known[text] = Outcome(self.solidyn, self.folder, model)
        return self.known[text]

    def cell(self, case):
        """@return what became of the key, and what tells so"""
        base = self.outcome(case.base)
        if base.status not in (0, 3):
            return "", f"the model without the key fails: {(' '.join(base.errors) or base.text)[:300]}"
        found = []
        for value in case.values:
            found.append(judged(base, self.outcome(with_value(case.base, case.path, value)), case))
            if found[-1][0] == "effect":
                return found[-1]
        for mark in ("warned", "refused"):
            for verdict in found:
                if verdict[0] == mark:
                    return verdict
        if case.same and all(said.startswith("no effect, no word") for _, said in found):
            return "same", case.same
        return "", "; ".join(dict.fromkeys(said for _, said in found))

    def strangers(self, table, foreign):
        """Keys of other types, all at once in each type: what the program says of each. @return {(type, key): mark}"""
        found = {}
        for column, model in table.columns.items() if table.selector else ():
            cases = [c for c in table.cases if c.type == column and c.is_plain and foreign(value_at(model, c.path[:-1]), c)]
            if not cases:
                continue
            for case in cases:
                value = case.values[0]
                model = with_value(model, case.path, value.patch[case.key] if isinstance(value, Swap) else value)
            text = self.outcome(model).text
            for case in cases:
                said = re.escape(".".join(case.path)) + rf" does not apply to {table.selector} "
                if re.search("error: " + said, text):
                    found[column, case.key] = "refused"
                elif re.search(r"warning: (?:\S+ )?" + said + r"\S+ and is ignored", text):
                    found[column, case.key] = "warned"
        return found


def value_at(model, path):
    for name in path:
        model = model[int(name)] if isinstance(model, list) else model.get(name, {})
    return model


def types_of_keys(keys):
    """Of the text of `solidyn schema --keys`: {table: {key: types}}, no types where a key is for all."""
    found, table = {}, ""
    for line in keys.splitlines():
        if heading := re.match(r'### <a id="(\w+)">', line):
            table = found.setdefault(heading.group(1), {})
        elif line.startswith("| key "):
            at = next((i for i, cell in enumerate(line.split("|")) if cell.strip().startswith("for ")), None)
        elif line.startswith("| `"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)]
            types = cells[at].split(", ") if at and cells[at] else None
            known = table.setdefault(cells[1].strip("`"), [])
            table[cells[1].strip("`")] = None if types is None or known is None else known + types
    return found


def page_of(table):
    lines = [f"## {table.title}", "", table.text, ""] if table.text else [f"## {table.title}", ""]
    notes = []
    rows = list(dict.fromkeys(case.key for case in table.cases))
    lines += ["| key | " + " | ".join(table.columns) + " |", "| --- |" + " :-: |" * len(table.columns)]
    for key in rows:
        row = []
        for column in table.columns:
            case = next((c for c in table.cases if c.key == key and c.type == column), None)
            verdict = table.results.get((column, key)) if case else None
            mark = MARKS.get(verdict, "?") if case else "."
            if verdict == "same":
                if case.same not in notes:
                    notes.append(case.same)
                mark += f" {notes.index(case.same) + 1}"
            row.append(mark)
        lines.append(f"| {key if ' ' in key else f'`{key}`'} | " + " | ".join(row) + " |")
    lines += [""] + [f"{i + 1}: {note}.  " for i, note in enumerate(notes)] + ([""] if notes else [])
    return "\n".join(lines)


def marks_of(page):
    """{(heading, row): marks} of a page."""
    found, heading = {}, ""
    for line in page.splitlines():
        if line.startswith("## "):
            heading = line[3:]
        elif heading and line.startswith("| ") and not line.startswith(("| key", "| ---")):
            row, *marks = [cell.strip() for cell in line.strip("|").split("|")]
            found[heading, row.strip("`")] = [mark.split()[0] for mark in marks]
    return found


def differences(table, page):
    """Cells of the page that say something else than was found."""
    for key in dict.fromkeys(case.key for case in table.cases):
        marks = page.get((table.title, key), [])
        for i, column in enumerate(table.columns):
            verdict = table.results.get((column, key))
            if verdict and (i >= len(marks) or marks[i] != MARKS[verdict]):
                yield f"{table.name}: {column}, {key}: {verdict}; the page has {marks[i:i + 1]}"


def run_table(table, tester, types_of, arguments, count):
    """@return what is wrong"""
    wrong = [f"{table.name}: `{key}` of the schema has no probe in effects_models.py" for key in table.without_probe]
    def foreign(own, case):
        types = types_of[table.of].get(case.key)
        return types is not None and own.get(table.selector, table.default) not in types

    strangers = tester.strangers(table, foreign)
    for case in table.cases:
        if not re.search(arguments.only, f"{case.type}, {case.key}"):
            continue
        if (case.type, case.key) in strangers:
            mark, said = strangers[case.type, case.key], "key of another type"
        else:
            count[0] += 1
            if count[0] % arguments.every:
                continue
            mark, said = tester.cell(case)
        if arguments.tell and said != "key of another type":
            print(f"  {table.name}: {case.type}, {case.key}: {mark}: {said[:300]}")
        if mark:
            table.results[case.type, case.key] = mark
        else:
            wrong.append(f"{table.name}: {case.type}, {case.key}: {said}")
    return wrong


def main():
    arguments = parsed_arguments()
    solidyn = os.path.abspath(arguments.solidyn)
    schema = json.loads(subprocess.run([solidyn, "schema"], capture_output=True, text=True, check=True).stdout)
    keys = subprocess.run([solidyn, "schema", "--keys"], capture_output=True, text=True, check=True).stdout
    types_of = types_of_keys(keys)
    page = marks_of(arguments.page.read_text()) if arguments.page else {}
    n_wrong, count, pages, totals = 0, [0], [], dict.fromkeys(MARKS, 0)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        effects_models.write_files(folder, solidyn)
        tester = Tester(solidyn, folder)
        tables = effects_models.tables(schema)
        unknown = [] if arguments.table else effects_models.tables_without(schema, tables)
        for name in unknown:
            print(f"the schema's table `{name}` has none in effects_models.py")
        n_wrong += len(unknown)
        for table in tables:
            if arguments.table and table.name not in arguments.table:
                continue
            wrong = run_table(table, tester, types_of, arguments, count)
            if page:
                wrong += differences(table, page)
            print(*wrong, sep="\n", end="\n" if wrong else "", flush=True)
            n_wrong += len(wrong)
            pages.append(page_of(table))
            found = list(table.results.values())
            for mark in MARKS:
                totals[mark] += found.count(mark)
            print(f"{table.name}: " + ", ".join(f"{found.count(mark)} {mark}" for mark in MARKS), flush=True)
        print(f"{len(tester.known)} runs; cells: {totals}; {n_wrong} wrong")
    if arguments.write:
        arguments.write.write_text(effects_models.HEADER + "\n".join(pages))
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
