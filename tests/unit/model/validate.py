"""Checks the model file's JSON Schema: right models pass, wrong ones mostly fail.

    validate.py SCHEMA FOLDER_OF_WRONG_MODELS RIGHT_MODEL_OR_FOLDER...

The schema knows shapes and ranges, not references between parts of the file: at least two
fifths of the wrong models must fail, all of those listed in MUST_FAIL.
"""
import json
import pathlib
import re
import sys

import jsonschema
import yaml

MUST_FAIL = ("unknown_key", "mass_zero", "gravity_too_short", "body_type_unknown",
             "joint_first_arm_of_planar", "joint_axis_of_spherical", "sensor_component_of_reaction",
             "rotation_in_two_ways", "interface_radius_without_point", "analyses_empty",
             "rho_infinity_out_of_range", "units_unknown", "body_name_with_dot", "beam_points_missing",
             "beam_groups_without_mesh", "beam_places_without_mesh", "sensor_section_of_mesh_without_line",
             "beam_place_in_two_ways", "beam_place_in_no_way", "beam_place_node_zero")


class Loader(yaml.SafeLoader):
    """Reads 1e-6 as a number, as YAML 1.2 does."""


Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$"), list("-+.0123456789"))


def load(path):
    model = yaml.load(path.read_text(), Loader)
    # JSON has one kind of number; the resolver above makes floats of integers.
    return whole(model)


def whole(value):
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [whole(item) for item in value]
    return value


def main():

    schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = []
    for argument in sys.argv[3:]:
        path = pathlib.Path(argument)
        for model in [path] if path.is_file() else sorted(path.rglob("*.yaml")):
            content = load(model)
            if not isinstance(content, dict) or "solidyn" not in content:
                continue
            for error in validator.iter_errors(content):
                failures.append(f"{model}: {error.json_path}: {error.message[:200]}")
    rejected = set()
    wrong = sorted(pathlib.Path(sys.argv[2]).glob("*.yaml"))
    for model in wrong:
        try:
            is_wrong = not validator.is_valid(load(model))
        except (yaml.YAMLError, RecursionError):
            is_wrong = True
        if is_wrong:
            rejected.add(model.stem)
    failures += [f"{name} passes" for name in MUST_FAIL if name not in rejected]
    if 5 * len(rejected) < 2 * len(wrong):
        failures.append(f"only {len(rejected)} of {len(wrong)} wrong models are rejected")
    print(f"{len(rejected)} of {len(wrong)} wrong models rejected by the schema")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
