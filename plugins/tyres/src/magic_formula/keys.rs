//! Keys of tyre property files that are not coefficients of this model.

use super::coefficients::Coefficients;

/// Keys that describe the file, the test, the program that reads it, or properties that do not act on the
/// steady forces of a tyre on flat ground: sizes, masses, vertical and structural dynamics, contact patch.
const WITHOUT_FORCE: &[&str] = &[
    "FILE_TYPE",
    "FILE_VERSION",
    "FILE_FORMAT",
    "FUNCTION_NAME",
    "USER_SUB_ID",
    "ROAD_INCREMENT",
    "ROAD_DIRECTION",
    "N_TIRE_STATES",
    "HMAX_LOCAL",
    "TIME_SWITCH_INTEG",
    "SWITCH_INTEG",
    "MESSAGES",
    "BELT_DYNAMICS",
    "CONTACT_MODEL",
    "FE_METHOD",
    "LOCAL_SOLVER",
    "LOCAL_SOLVER_HP",
    "MFSAFE1",
    "MFSAFE2",
    "MFSAFE3",
    "IP",
    "IP_NOM",
    "RIM_RADIUS",
    "RIM_WIDTH",
    "BOTTOMING_RADIUS",
    "VERTICAL_DAMPING",
    "DYNAMIC_STIFFNESS",
    "DYNAMIC_DAMPING",
    "MC_CONTOUR_A",
    "MC_CONTOUR_B",
    "Q_FZ1",
    "Q_CAM",
    "BOTTOM_OFFST",
    "BOTTOM_STIFF",
    "MASS",
    "IXX",
    "IYY",
    "BELT_MASS",
    "BELT_IXX",
    "BELT_IYY",
    "GRAVITY",
    "YAW_STIFFNESS",
    "FREQ_LONG",
    "FREQ_LAT",
    "FREQ_YAW",
    "FREQ_WINDUP",
    "DAMP_LONG",
    "DAMP_LAT",
    "DAMP_YAW",
    "DAMP_WINDUP",
    "DAMP_RESIDUAL",
    "DAMP_VLOW",
    "Q_BVX",
    "Q_BVT",
    "PCMZ1",
    "ELLIPS_SHIFT",
    "ELLIPS_LENGTH",
    "ELLIPS_HEIGHT",
    "ELLIPS_ORDER",
    "ELLIPS_MAX_STEP",
    "ELLIPS_NWIDTH",
    "ELLIPS_NLENGTH",
    "ENV_C1",
    "ENV_C2",
    "ENV_ORD",
    "ENV_W",
    "MBELT",
    "LCZ",
    "LIP",
];

/// Coefficients of the Magic Formula that have no effect: of the gyroscopic moment, of friction that decreases
/// with the speed, and of older versions.
const WITHOUT_EFFECT: &[&str] =
    &["QPX1", "PTX4", "PTY3", "QTZ1", "QPZ1", "QPZ2", "LMUV", "LGYR", "LKG"];

/// Coefficients of the rolling resistance.
const RESISTANCE: &[&str] = &["QSY1", "QSY2", "QSY3", "QSY4", "QSY5", "QSY6"];
/// Coefficients of the relaxation lengths of MF 5.2.
const RELAXATION: &[&str] = &["PTX1", "PTX2", "PTX3", "PTY1", "PTY2"];
/// Coefficients of turn slip.
const TURN_SLIP: &[&str] = &[
    "PDXP1", "PDXP2", "PDXP3", "PKYP1", "PDYP1", "PDYP2", "PDYP3", "PDYP4", "PHYP1", "PHYP2",
    "PHYP3", "PHYP4", "PECP1", "PECP2", "QDTP1", "QCRP1", "QCRP2", "QBRP1", "QDRP2",
];

/// Returns the coefficients other than 0 of turn slip, which wheels do not have, of the rolling resistance unless it
/// `resists`, and of the relaxation lengths unless it `relaxes`.
pub fn idle(coefficients: &Coefficients, resists: bool, relaxes: bool) -> Vec<&'static str> {
    let resistance = if resists { &[][..] } else { RESISTANCE };
    let relaxation = if relaxes { &[][..] } else { RELAXATION };
    let names = resistance.iter().chain(relaxation).chain(TURN_SLIP).copied();
    names.filter(|name| coefficients.value(name).is_some_and(|value| value != 0.0)).collect()
}

/// The effect of a key that is not a coefficient of this model.
pub enum Unused {
    /// None is to be expected, or the value leaves the equations as they are.
    Expected,
    /// None, although the Magic Formula has this coefficient.
    Ignored,
    /// The key is not one of the Magic Formula.
    Unknown,
}

impl Unused {
    /// Returns the effect of a key in upper case with this value.
    pub fn of(key: &str, value: &str, number: Option<f64>) -> Self {
        // a text is not a coefficient
        if WITHOUT_FORCE.contains(&key) || value.starts_with('\'') {
            return Self::Expected;
        }
        if !WITHOUT_EFFECT.contains(&key) {
            return Self::Unknown;
        }
        let neutral = if key.starts_with('L') { 1.0 } else { 0.0 };
        if number == Some(neutral) { Self::Expected } else { Self::Ignored }
    }
}

/// Returns the coefficient whose name is nearest to an unknown key, if one is near.
pub fn nearest(key: &str) -> Option<&'static str> {
    let names = Coefficients::NAMES.iter().chain(WITHOUT_EFFECT).chain(WITHOUT_FORCE);
    let near = names.map(|name| (strsim::damerau_levenshtein(key, name), *name));
    let (distance, name) = near.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + key.len() / 6).then_some(name)
}
