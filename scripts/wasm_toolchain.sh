#!/usr/bin/env bash
# Makes a Rust compiler with the target wasm32-unknown-unknown from packages of Debian, in target/wasm-toolchain.
#
# `rustup target add wasm32-unknown-unknown` is the usual way. This is for machines that reach Debian's packages but not
# rustup's: the compiler of rustc-web, its own sources of the standard library, compiled once for the target, and lld.
# Nothing is installed; it takes about a minute of processor time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
place=$PWD/target/wasm-toolchain
root=$place/root
mkdir -p "$place/packages" "$root"

version=$(apt-cache show --no-all-versions rustc-web | sed -n 's/^Version: \([0-9]*\.[0-9]*\)\..*/\1/p')
llvm=$(apt-cache depends "libstd-rust-web-$version" | sed -n 's/.*Depends: libllvm\([0-9]*\)$/\1/p')
(cd "$place/packages" && apt-get download --quiet "rustc-web" "rust-web-src" "libstd-rust-web-$version" \
    libstd-rust-web-dev "libllvm$llvm" "liblld-$llvm" "lld-$llvm")
for package in "$place"/packages/*.deb; do dpkg -x "$package" "$root"; done

for program in rustc:usr/bin/rustc wasm-ld:usr/lib/llvm-$llvm/bin/wasm-ld; do
    cat > "$place/${program%%:*}" << END
#!/bin/sh
LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu:$root/usr/lib/llvm-$llvm/lib exec "$root/${program#*:}" "\$@"
END
    chmod +x "$place/${program%%:*}"
done

# The standard library of the target, as the one dependency of an empty crate.
mkdir -p "$place/std/src"
: > "$place/std/src/lib.rs"
printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n' > "$place/std/Cargo.toml"
(cd "$place/std" && RUSTC=$place/rustc RUSTC_BOOTSTRAP=1 cargo build --release -Z build-std=std,panic_abort \
    --target wasm32-unknown-unknown)
library=$root/usr/lib/rustlib/wasm32-unknown-unknown/lib
mkdir -p "$library"
cp "$place"/std/target/wasm32-unknown-unknown/release/deps/*.rlib "$library"
rm -f "$library"/libempty-*.rlib
"$place/rustc" --version
