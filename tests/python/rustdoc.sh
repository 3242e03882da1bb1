#!/bin/sh
# The rustdoc of any toolchain, with its unstable options.
RUSTC_BOOTSTRAP=1 exec rustdoc "$@"
