//! Warnings about tyre files and about wheels that do not fit their tyre.

use simhost_sdk::WheelUse;

use super::keys;
use super::tir::TyreFile;
use super::{MagicFormula, RollingResistance, WheelSide};

/// Returns a count of keys, and their names.
fn listed(names: &[impl AsRef<str>]) -> (String, String) {
    let texts: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let count = if names.len() == 1 { "1 key".into() } else { format!("{} keys", names.len()) };
    (count, texts.join(", "))
}

impl MagicFormula {
    /// Returns the name of the tyre for messages.
    fn name(&self) -> String {
        self.tir
            .as_ref()
            .map_or_else(|| "the default tyre".into(), |file| format!("tyre file {}", file.path))
    }

    /// Returns warnings about what the file has and the tyre does not use.
    pub(super) fn reading_notes(&self, path: &str, file: &TyreFile) -> Vec<String> {
        let mut notes = Vec::new();
        let resists = self.resistance == RollingResistance::File;
        let idle = keys::idle(&file.tyre.coefficients, resists, self.use_mode >= 10);
        let idle = idle.into_iter().map(str::to_owned);
        let unused: Vec<String> = file.without_effect.iter().cloned().chain(idle).collect();
        if !unused.is_empty() {
            let (count, names) = listed(&unused);
            notes.push(format!("tyre file {path}: {count} without effect: {names}"));
        }
        let empty = &file.without_value;
        if !empty.is_empty() {
            let (count, names) = listed(empty);
            notes.push(format!(
                "tyre file {path}: {count} without a value: {names}; the default is used"
            ));
        }
        if let Some(mode) = file.use_mode.filter(|mode| mode % 10 != self.use_mode % 10) {
            let used = self.use_mode;
            notes.push(format!(
                "tyre file {path}: USE_MODE is {mode}, but the outputs of mode {used} are computed; set <use_mode> to choose others"
            ));
        }
        if let Some(side) =
            file.side.as_ref().filter(|_| self.shifts && self.side == WheelSide::File)
        {
            notes.push(format!(
                "tyre file {path}: TYRESIDE {side} has no effect: set <side> for the wheels of each side"
            ));
        }
        notes
    }

    /// Returns warnings about properties that are selected and that the tyre does not have.
    pub(super) fn missing_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let name = self.name();
        if self.use_mode >= 10 && !self.lags {
            notes.push(format!(
                "{name}: use_mode is {}, but it has no relaxation lengths; <relaxation_length> is used",
                self.use_mode
            ));
        }
        if self.resistance == RollingResistance::File && !self.resists {
            notes.push(format!("{name}: it has no rolling resistance; <C_rr> is used"));
        }
        notes
    }

    /// Returns warnings about wheels that do not fit the tyre.
    pub(super) fn unfit(&self, wheels: &[WheelUse]) -> Vec<String> {
        let p = &self.tyre.coefficients;
        let mut found = Vec::new();
        let other = |wheel: &&WheelUse| (wheel.radius / p.unloaded_radius - 1.0).abs() > 0.01;
        if let Some(wheel) = wheels.iter().find(other).filter(|_| p.unloaded_radius > 0.0) {
            found.push(format!(
                "{}: UNLOADED_RADIUS is {} m, but the radius of its wheel is {} m, which is used",
                self.name(),
                p.unloaded_radius,
                wheel.radius
            ));
        }
        let most = p.fzmax.min(self.tyre.greatest_load());
        if let Some(wheel) = wheels.iter().find(|wheel| wheel.load > most) {
            let (least, load) = (p.fzmin, wheel.load.round());
            let range = if p.fzmax.is_finite() {
                format!("its range of loads is {least} N to {} N", p.fzmax)
            } else {
                format!("its friction would decrease to 0.3 times up to {} N", most.round())
            };
            found.push(format!(
                "{}: the weight of the vehicle is {load} N per wheel, but {range}; use a tyre for this load",
                self.name()
            ));
        }
        found
    }
}
