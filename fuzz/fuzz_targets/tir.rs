#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_tyres::magic_formula::tir;
use simhost_tyres::magic_formula::tyre::{Load, TyreCondition};

fuzz_target!(|text: &str| {
    let Ok(tir::TyreFile { tyre, .. }) = tir::parse(text) else { return };
    for load in [0.0, 1.0, 4000.0] {
        for (kappa, alpha) in [(0.0, 0.0), (0.1, -0.05), (-1.0, 1.5)] {
            let at = Load::new(load, 1.0, 0.0);
            let _ = (tyre.combined(kappa, alpha, &at), tyre.peak(&at));
            let condition = TyreCondition { f_z: load, kappa, alpha, vx: 10.0, ..Default::default() };
            let _ = tyre.respond(&TyreCondition { turn_slip: Some(0.1), radius: 0.3, ..condition });
        }
    }
});
