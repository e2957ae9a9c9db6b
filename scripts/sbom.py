#!/usr/bin/env python3
"""Writes what the program is made of as a CycloneDX document to standard output.

The crates that `qingyu-cli` links or runs while it is built, on any platform, with their licences, checksums and edges: from
`cargo tree`, which knows which features are on, and `cargo metadata`. Needs nothing but cargo; the tools there are for this
write a file beside every manifest, or take minutes to build.
"""

import json
import subprocess
import sys
import tomllib
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "qingyu-cli"


def cargo(*arguments: str) -> str:
    command = ["cargo", *arguments, "--locked"]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def linked() -> set[tuple[str, str]]:
    """Name and version of each crate that is linked or runs in the build."""
    edges = ["--edges", "normal,build", "--target", "all"]
    tree = cargo("tree", "--package", PACKAGE, *edges, "--prefix", "none", "--format", "{p}")
    words = (line.split() for line in tree.splitlines() if line.strip())
    return {(line[0], line[1].removeprefix("v")) for line in words}


def purl(package: dict) -> str:
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package: dict, checksums: dict[tuple[str, str], str]) -> dict:
    entry = {
        "type": "library",
        "bom-ref": purl(package),
        "name": package["name"],
        "version": package["version"],
        "scope": "required",
        "purl": purl(package),
    }
    if package["description"]:
        entry["description"] = " ".join(package["description"].split())
    if package["license"]:
        entry["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if checksum := checksums.get((package["name"], package["version"])):
        entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package["repository"]:
        entry["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return entry


def main() -> None:
    lock_text = (ROOT / "Cargo.lock").read_text()
    lock = tomllib.loads(lock_text)["package"]
    checksums = {(one["name"], one["version"]): one["checksum"] for one in lock if "checksum" in one}
    metadata = json.loads(cargo("metadata", "--format-version", "1", "--all-features"))
    wanted = linked()
    packages = {one["id"]: one for one in metadata["packages"] if (one["name"], one["version"]) in wanted}
    missing = wanted - {(one["name"], one["version"]) for one in packages.values()}
    if missing:
        sys.exit(f"sbom: nothing is known of {sorted(missing)}")
    root = next(one for one in packages.values() if one["name"] == PACKAGE)
    edges = []
    for node in metadata["resolve"]["nodes"]:
        if node["id"] not in packages:
            continue
        used = [
            purl(packages[edge["pkg"]])
            for edge in node["deps"]
            if edge["pkg"] in packages and any(kind["kind"] != "dev" for kind in edge["dep_kinds"])
        ]
        edges.append({"ref": purl(packages[node["id"]]), "dependsOn": sorted(set(used))})
    others = [one for one in packages.values() if one is not root]
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        # The same parts have the same number.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, lock_text)}",
        "version": 1,
        "metadata": {
            "tools": [{"name": "scripts/sbom.py"}],
            "component": {**component(root, checksums), "type": "application"},
        },
        "components": sorted((component(one, checksums) for one in others), key=lambda one: one["bom-ref"]),
        "dependencies": sorted(edges, key=lambda edge: edge["ref"]),
    }
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2)
    print()


if __name__ == "__main__":
    main()
