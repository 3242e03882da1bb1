"""Prints the public API of kenga's crates, a line an item, from the JSON of rustdoc; or compares it with a file.

    python3 tests/python/public_api.py > docs/public-api.txt
    python3 tests/python/public_api.py --check docs/public-api.txt

What is hidden from the documentation is no part of it. With --check, exits 1 and shows what differs; where rustdoc writes
another format than this program knows, it says so and exits 0.
"""

import difflib
import json
import os
import pathlib
import subprocess
import sys


FORMAT = 57

# What extensions use, and the facade.
CRATES = ["kenga-base", "kenga-core", "kenga-craft", "kenga-lab", "kenga"]

ROOT = pathlib.Path(__file__).parents[2]


def described(package):
    """What rustdoc knows of a package. The JSON is an unstable option of it, which a stable one takes from `rustdoc.sh`; the
    compiler stays as it is, so that nothing is compiled anew."""
    command = ["cargo", "rustdoc", "--quiet", "--lib", "--package", package, "--target-dir", "target"]
    command += ["--", "-Z", "unstable-options", "--output-format", "json"]
    subprocess.run(command, cwd=ROOT, env=os.environ | {"RUSTDOC": str(ROOT / "tests/python/rustdoc.sh")}, check=True)
    return json.loads((ROOT / "target/doc" / f"{package.replace('-', '_')}.json").read_text())


def name_of(path):
    return path["path"].split("::")[-1] if "path" in path else path["name"]


def args(given):
    if not given:
        return ""
    if "parenthesized" in given:
        inside = given["parenthesized"]
        output = f" -> {ty(inside['output'])}" if inside["output"] else ""
        return f"({', '.join(map(ty, inside['inputs']))}){output}"
    given = given.get("angle_bracketed", {"args": [], "constraints": []})
    parts = [argument if isinstance(argument, str) else ty(next(iter(argument.values()))) for argument in given["args"]]
    for constraint in given["constraints"]:
        binding = constraint["binding"]
        value = ty(binding["equality"].get("type")) if "equality" in binding else bounds(binding["constraint"])
        parts.append(f"{constraint['name']} = {value}")
    return f"<{', '.join(parts)}>" if parts else ""


def bound(given):
    if "trait_bound" in given:
        trait = given["trait_bound"]["trait"]
        return name_of(trait) + args(trait["args"])
    return given.get("outlives", "use<..>") if not isinstance(given.get("outlives", ""), dict) else ""


def bounds(given):
    return " + ".join(filter(None, map(bound, given)))


def function_type(sig, names=False):
    inputs = ", ".join(f"{name}: {ty(kind)}" if names else ty(kind) for name, kind in sig["inputs"])
    return f"({inputs})" + (f" -> {ty(sig['output'])}" if sig["output"] else "")


def ty(given):
    """A type, in the words of Rust but for the paths of names."""
    if given is None or isinstance(given, str):
        return str(given or "()")
    if "expr" in given:
        return given["expr"]
    kind, value = next(iter(given.items()))
    match kind:
        case "resolved_path":
            return name_of(value) + args(value["args"])
        case "generic" | "primitive":
            return value
        case "tuple":
            return f"({', '.join(map(ty, value))})"
        case "slice":
            return f"[{ty(value)}]"
        case "array":
            return f"[{ty(value['type'])}; {value['len']}]"
        case "borrowed_ref":
            lifetime = f"{value['lifetime']} " if value["lifetime"] else ""
            return f"&{lifetime}{'mut ' if value['is_mutable'] else ''}{ty(value['type'])}"
        case "function_pointer":
            return f"fn{function_type(value['sig'])}"
        case "impl_trait":
            return f"impl {bounds(value)}"
        case "dyn_trait":
            traits = [name_of(part["trait"]) + args(part["trait"]["args"]) for part in value["traits"]]
            return "dyn " + " + ".join(traits + ([value["lifetime"]] if value["lifetime"] else []))
        case "qualified_path":
            return f"{ty(value['self_type'])}::{value['name']}"
    return json.dumps(given)


def generics(given):
    params = []
    for param in given["params"]:
        kind = param["kind"].get("type")
        if kind is None and "const" in param["kind"]:
            params.append(f"const {param['name']}")
        elif kind is not None and not kind["is_synthetic"]:
            limits = bounds(kind["bounds"])
            params.append(param["name"] + (f": {limits}" if limits else ""))
    return f"<{', '.join(params)}>" if params else ""


class Api:
    def __init__(self, name, crate):
        self.index, self.lines, self.seen = crate["index"], [], set()
        self.module(name, self.item(crate["root"]))

    def item(self, identity):
        return self.index.get(str(identity))

    def items(self, identities):
        return [item for item in map(self.item, identities) if item]

    def module(self, path, item):
        for child in self.items(item["inner"]["module"]["items"]):
            kind, inner = next(iter(child["inner"].items()))
            if kind == "use":
                target = self.item(inner["id"]) if inner["id"] is not None else None
                if target:
                    self.write(f"{path}::{inner['name']}", target)
                else:
                    self.lines.append(f"use {path}::{inner['name']} = {inner['source']}")
            elif child["visibility"] in ("public", "default"):
                self.write(f"{path}::{child['name']}", child)

    def write(self, path, item):
        kind, inner = next(iter(item["inner"].items()))
        if item["id"] in self.seen:
            self.lines.append(f"use {path}")
            return
        if kind in ("module", "struct", "enum", "trait"):
            self.seen.add(item["id"])
        match kind:
            case "module":
                self.lines.append(f"mod {path}")
                self.module(path, item)
            case "function":
                header = "const " if inner["header"]["is_const"] else ""
                rest = function_type(inner["sig"], names=True)
                self.lines.append(f"{header}fn {path}{generics(inner['generics'])}{rest}")
            case "struct":
                self.lines.append(f"struct {path}{generics(inner['generics'])}")
                shape = inner["kind"]
                fields = [] if shape == "unit" else shape.get("tuple") or shape.get("plain", {}).get("fields", [])
                self.fields(path, [field for field in fields if field is not None])
                self.implementations(path, inner["impls"])
            case "enum":
                self.lines.append(f"enum {path}{generics(inner['generics'])}")
                for variant in self.items(inner["variants"]):
                    self.variant(f"{path}::{variant['name']}", variant["inner"]["variant"]["kind"])
                self.implementations(path, inner["impls"])
            case "trait":
                above = bounds(inner["bounds"])
                self.lines.append(f"trait {path}{generics(inner['generics'])}" + (f": {above}" if above else ""))
                for child in self.items(inner["items"]):
                    self.write(f"{path}::{child['name']}", child)
            case "constant" | "assoc_const" | "static" | "struct_field":
                given = inner if kind == "struct_field" else inner["type"]
                self.lines.append(f"{kind.removeprefix('struct_')} {path}: {ty(given)}")
            case "type_alias":
                self.lines.append(f"type {path}{generics(inner['generics'])} = {ty(inner['type'])}")
            case _:
                self.lines.append(f"{kind} {path}")

    def fields(self, path, identities):
        for field in self.items(identities):
            self.write(f"{path}::{field['name']}", field)

    def variant(self, path, kind):
        if isinstance(kind, dict) and "tuple" in kind:
            inside = [ty(field["inner"]["struct_field"]) for field in self.items(kind["tuple"])]
            self.lines.append(f"variant {path}({', '.join(inside)})")
        else:
            self.lines.append(f"variant {path}")
            if isinstance(kind, dict):
                self.fields(path, kind["struct"]["fields"])

    def implementations(self, path, identities):
        traits = []
        for item in self.items(identities):
            inner = item["inner"]["impl"]
            if inner["is_synthetic"] or inner["blanket_impl"]:
                continue
            if inner["trait"]:
                traits.append(name_of(inner["trait"]) + args(inner["trait"]["args"]))
            else:
                for child in self.items(inner["items"]):
                    if child["visibility"] == "public":
                        self.write(f"{path}::{child['name']}", child)
        # Every derived equality has this one, which no stable code can name.
        traits = sorted(trait for trait in traits if trait != "StructuralPartialEq")
        if traits:
            self.lines.append(f"impl {' + '.join(traits)} for {path}")


def main():
    lines = set()
    for name in CRATES:
        crate = described(name)
        version = crate["format_version"]
        if version != FORMAT:
            print(f"rustdoc writes format {version}, known is {FORMAT}: the public API is not read", file=sys.stderr)
            return
        lines.update(Api(name.replace("-", "_"), crate).lines)
    lines = sorted(lines)
    text = "".join(f"{line}\n" for line in lines)
    if sys.argv[1:2] != ["--check"]:
        print(text, end="")
        return
    known = pathlib.Path(sys.argv[2]).read_text()
    for line in difflib.unified_diff(known.splitlines(), lines, sys.argv[2], "the public API now", lineterm="", n=0):
        print(line)
    sys.exit(known != text)


main()
