//! `simhost_math.h` returns the bits of `simhost_sdk::math`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use simhost_sdk::math;

/// Prints the bits of all functions for each pair of numbers.
const PROGRAM: &str = r#"
#include "simhost_math.h"
#include <inttypes.h>
#include <stdio.h>

int main(void) {
    uint64_t a, b;
    while (scanf("%" SCNx64 " %" SCNx64, &a, &b) == 2) {
        const double x = simhost_from_bits(a), y = simhost_from_bits(b);
        const double all[] = {simhost_exp(x), simhost_tanh(x), simhost_atan(x), simhost_atan2(y, x),
            simhost_sin(x), simhost_cos(x), simhost_tan(x), simhost_sqrt(x), simhost_pow(x, y)};
        for (int i = 0; i < 9; i++)
            printf("%016" PRIx64 " ", simhost_bits(all[i]));
        printf("\n");
    }
    return 0;
}
"#;
const NAMES: [&str; 9] = ["exp", "tanh", "atan", "atan2", "sin", "cos", "tan", "sqrt", "pow"];

fn in_rust(x: f64, y: f64) -> [f64; 9] {
    [
        math::exp(x),
        math::tanh(x),
        math::atan(x),
        math::atan2(y, x),
        math::sin(x),
        math::cos(x),
        math::tan(x),
        x.sqrt(),
        math::pow(x, y),
    ]
}

/// Returns pairs of numbers of all sizes, and special ones.
fn pairs() -> Vec<[f64; 2]> {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        2.0,
        -3.0,
        1e300,
        -1e-300,
        5e-324,
        f64::INFINITY,
        f64::NAN,
        708.5,
    ];
    let mut pairs: Vec<[f64; 2]> = special.iter().flat_map(|x| special.map(|y| [*x, y])).collect();
    let mut state = 1_u64;
    let mut draw = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 11
    };
    for _ in 0..20_000 {
        // of ordinary size, and with any exponent
        let unit = |bits: u64| bits as f64 / (1_u64 << 53) as f64;
        let (a, b, c) = (unit(draw()), unit(draw()), unit(draw()));
        pairs.push([20.0 * a - 10.0, 20.0 * b - 10.0]);
        pairs.push([(1400.0 * (c - 0.5)).exp2() * (a - 0.5), 200.0 * (b - 0.5)]);
        pairs.push([1.0 + 1e-6 * (a - 0.5), 1e11 * (b - 0.5)]);
    }
    pairs
}

#[test]
fn functions_in_c_return_the_bits_of_those_in_rust() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c_math");
    std::fs::create_dir_all(&folder).unwrap();
    let (source, program) = (folder.join("bits.c"), folder.join("bits"));
    std::fs::write(&source, PROGRAM).unwrap();
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("c");
    for optimisation in ["-O0", "-O2"] {
        let output = Command::new("cc")
            .args([
                "-std=c99",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-ffp-contract=off",
                optimisation,
                "-I",
            ])
            .arg(&include)
            .arg(&source)
            .arg("-o")
            .arg(&program)
            .arg("-lm")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let pairs = pairs();
        let lines: String = pairs
            .iter()
            .map(|[x, y]| format!("{:016x} {:016x}\n", x.to_bits(), y.to_bits()))
            .collect();
        let mut child =
            Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().count(), pairs.len());
        for (line, [x, y]) in text.lines().zip(pairs) {
            for ((found, expected), name) in line.split(' ').zip(in_rust(x, y)).zip(NAMES) {
                let found = f64::from_bits(u64::from_str_radix(found, 16).unwrap());
                let is_same =
                    found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                assert!(is_same, "{name} of {x:e}, {y:e} is {found:e}, expected {expected:e}");
            }
        }
    }
}
