#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_tyres::magic_formula::tir;
use simhost_tyres::magic_formula::tyre::Load;

fuzz_target!(|text: &str| {
    let Ok(tir::TyreFile { tyre, .. }) = tir::parse(text) else { return };
    for load in [0.0, 1.0, 4000.0] {
        let load = Load { f_z: load, grip: 1.0, gamma: 0.0 };
        for (kappa, alpha) in [(0.0, 0.0), (0.1, -0.05), (-1.0, 1.5)] {
            let _ = (tyre.combined(kappa, alpha, &load), tyre.peak(&load));
        }
    }
});
