#!/usr/bin/env bash
# Builds what a release consists of, and tries what the registries would say of it. Nothing is uploaded.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    cat <<'EOF'
usage: release/build.sh [OUT]    OUT is target/release-files unless it is given

Writes to OUT:
  kenga-VERSION-cp39-abi3-manylinux….whl   the Python package with the command, for each target whose std is installed
  kenga-VERSION.tar.gz                     the package as source, which pip builds
  kenga-VERSION-TARGET.tar.gz              the program, pages of the manual, completions, licences, README
  SHA256SUMS
and checks them: the wheel in an empty environment, the crates by `cargo publish --dry-run`, the package by `twine check`.

It needs rustup, python3 and the network, which gives it maturin, cargo-zigbuild, zig and twine. zig links against glibc 2.17, so
that what is built here runs on any Linux since 2014. For another target: rustup target add aarch64-unknown-linux-gnu.
EOF
}

case ${1:-} in
--help | -h) usage && exit ;;
-*) usage >&2 && exit 2 ;;
esac
out=$(realpath -m "${1:-target/release-files}")
rm -rf "$out"
mkdir -p "$out"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
python3 -m venv "$tools"
"$tools/bin/pip" install -q --disable-pip-version-check 'maturin>=1.9,<2' cargo-zigbuild ziglang twine
export PATH="$tools/bin:$PATH"
# The same commit gives the same archives.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# The program of a target with what belongs to it, as one archive.
archive() {
    local target=$1 name=kenga-$version-$1 folder=$tools/kenga-$version-$1
    cargo zigbuild --release --locked --bin kenga --target "$target.2.17"
    mkdir -p "$folder/completions"
    cp "target/$target/release/kenga" README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$folder"
    # Its own pages and completions are those of every target.
    "$host_program" man "$folder/man" >/dev/null
    for shell in bash elvish fish powershell zsh; do
        "$host_program" completions "$shell" >"$folder/completions/kenga.$shell"
    done
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$tools" -cf - "$name" |
        gzip -n9 >"$out/$name.tar.gz"
}

host=$(rustc -vV | sed -n 's/^host: //p')
host_program=target/$host/release/kenga
for target in "$host" x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu; do
    [ -d "$(rustc --print target-libdir --target "$target")" ] || {
        printf 'left out: %s, whose std is not installed (rustup target add %s)\n' "$target" "$target"
        continue
    }
    [ ! -e "$out/kenga-$version-$target.tar.gz" ] || continue
    maturin build --release --locked --zig --compatibility manylinux2014 --target "$target" -m python/Cargo.toml -o "$out"
    archive "$target"
done
maturin sdist -m python/Cargo.toml -o "$out"
twine check --strict "$out"/*.whl "$out/kenga-$version.tar.gz"
release/try.sh "$(ls "$out"/*manylinux*"${host%%-*}".whl)"
cargo publish --dry-run --no-verify --workspace --exclude kenga-benches --exclude kenga-python
(cd "$out" && sha256sum -- * >SHA256SUMS)
ls -l "$out"
