//! The coefficients of a tyre under their names in a tyre property file.

#![allow(clippy::approx_constant, reason = "defaults as tyre files write them")]

/// Declares the struct, its defaults and the table of names.
macro_rules! coefficients {
    ($($field:ident $key:literal $default:literal, $doc:literal;)*) => {
        /// Coefficients of forces, moments, deflection and relaxation lengths.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs)]
        pub struct Coefficients {
            $(#[doc = $doc] pub $field: f64,)*
        }

        /// The default is a 245/40 R18 tyre.
        impl Default for Coefficients {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl Coefficients {
            /// Returns the coefficient with this name.
            pub fn named(&mut self, key: &str) -> Option<&mut f64> {
                match key {
                    $($key => Some(&mut self.$field),)*
                    _ => None,
                }
            }

            /// Returns the value of the coefficient with this name.
            pub fn value(&self, key: &str) -> Option<f64> {
                match key {
                    $($key => Some(self.$field),)*
                    _ => None,
                }
            }

            /// Every name.
            pub const NAMES: &'static [&'static str] = &[$($key),*];
        }
    };
}

coefficients! {
    fnomin "FNOMIN" 4850.0, "Nominal load, N.";
    nompres "NOMPRES" 0.0, "Nominal inflation pressure, Pa; 0 where the file has none.";
    fzmin "FZMIN" 225.0, "Smallest load of the measurement, N.";
    fzmax "FZMAX" 10125.0, "Largest load of the measurement, N.";
    kpumin "KPUMIN" -1.5, "Smallest slip ratio of the measurement.";
    kpumax "KPUMAX" 1.5, "Largest slip ratio of the measurement.";
    alpmin "ALPMIN" -1.5708, "Smallest slip angle of the measurement, rad.";
    alpmax "ALPMAX" 1.5708, "Largest slip angle of the measurement, rad.";
    cammin "CAMMIN" -0.26181, "Smallest camber of the measurement, rad.";
    cammax "CAMMAX" 0.26181, "Largest camber of the measurement, rad.";
    presmin "PRESMIN" 0.0, "Smallest pressure of the measurement, Pa.";
    presmax "PRESMAX" 1e6, "Largest pressure of the measurement, Pa.";
    longvl "LONGVL" 16.6, "Speed of the measurement, m/s.";
    inflpres "INFLPRES" 0.0, "Inflation pressure, Pa; 0 for the nominal one.";
    lfzo "LFZO" 0.81, "Scales the nominal load.";
    lcx "LCX" 1.0, "Scales C_x.";
    lmux "LMUX" 1.0, "Scales μ_x.";
    lex "LEX" 1.0, "Scales E_x.";
    lkx "LKX" 1.0, "Scales K_x.";
    lhx "LHX" 1.0, "Scales S_Hx.";
    lvx "LVX" 1.0, "Scales S_Vx.";
    lgax "LGAX" 1.0, "Scales camber for F_x.";
    lcy "LCY" 1.0, "Scales C_y.";
    lmuy "LMUY" 1.0, "Scales μ_y.";
    ley "LEY" 1.0, "Scales E_y.";
    lky "LKY" 1.0, "Scales K_y.";
    lkyc "LKYC" 1.0, "Scales the camber stiffness.";
    lkzc "LKZC" 1.0, "Scales the moment of camber.";
    lhy "LHY" 1.0, "Scales S_Hy.";
    lvy "LVY" 1.0, "Scales S_Vy.";
    lgay "LGAY" 1.0, "Scales camber for F_y.";
    lgaz "LGAZ" 1.0, "Scales camber for M_z (5.2).";
    lxal "LXAL" 1.0, "Scales how α takes of F_x.";
    lyka "LYKA" 1.0, "Scales how κ takes of F_y.";
    lvyka "LVYKA" 1.0, "Scales the F_y that κ makes.";
    pcx1 "PCX1" 1.6411, "Shape of F_x.";
    pdx1 "PDX1" 1.1739, "μ_x at the nominal load.";
    pdx2 "PDX2" -0.16395, "With load.";
    pdx3 "PDX3" 0.0, "With camber.";
    pex1 "PEX1" 0.46403, "E_x at the nominal load.";
    pex2 "PEX2" 0.25022, "With load.";
    pex3 "PEX3" 0.067842, "With load squared.";
    pex4 "PEX4" -3.7604e-5, "When driving.";
    pkx1 "PKX1" 22.303, "Slip stiffness by load at the nominal load.";
    pkx2 "PKX2" 0.48896, "With load.";
    pkx3 "PKX3" 0.21253, "Exponent with load.";
    phx1 "PHX1" 0.0012297, "Horizontal shift at the nominal load.";
    phx2 "PHX2" 0.0004318, "With load.";
    pvx1 "PVX1" -8.8098e-6, "Vertical shift by load at the nominal load.";
    pvx2 "PVX2" 1.862e-5, "With load.";
    ppx1 "PPX1" 0.0, "Slip stiffness with pressure (6.1).";
    ppx2 "PPX2" 0.0, "With pressure squared.";
    ppx3 "PPX3" 0.0, "μ_x with pressure (6.1).";
    ppx4 "PPX4" 0.0, "With pressure squared.";
    rbx1 "RBX1" 13.276, "Steepness of G_xα.";
    rbx2 "RBX2" -13.778, "With κ.";
    rbx3 "RBX3" 0.0, "With camber (6.1).";
    rcx1 "RCX1" 1.2568, "Shape of G_xα.";
    rex1 "REX1" 0.65225, "Curvature of G_xα.";
    rex2 "REX2" -0.24948, "With load.";
    rhx1 "RHX1" 0.0050722, "Shift of G_xα.";
    pcy1 "PCY1" 1.3507, "Shape of F_y.";
    pdy1 "PDY1" 1.0489, "μ_y at the nominal load.";
    pdy2 "PDY2" -0.18033, "With load.";
    pdy3 "PDY3" -2.8821, "With camber squared.";
    pey1 "PEY1" -0.0074722, "E_y at the nominal load.";
    pey2 "PEY2" -0.0063208, "With load.";
    pey3 "PEY3" -9.9935, "With the sign of α.";
    pey4 "PEY4" -760.14, "With camber and the sign of α.";
    pey5 "PEY5" 0.0, "With camber squared (6.1).";
    pky1 "PKY1" -21.92, "Greatest cornering stiffness by nominal load.";
    pky2 "PKY2" 2.0012, "Load of the greatest stiffness by the nominal one.";
    pky3 "PKY3" -0.024778, "With camber.";
    pky4 "PKY4" 2.0, "Shape of the stiffness over load (6.1).";
    pky5 "PKY5" 0.0, "Load of the greatest stiffness with camber (6.1).";
    pky6 "PKY6" 0.0, "Camber stiffness by load (6.1).";
    pky7 "PKY7" 0.0, "With load (6.1).";
    phy1 "PHY1" 0.0026747, "Horizontal shift at the nominal load.";
    phy2 "PHY2" 8.9094e-5, "With load.";
    phy3 "PHY3" 0.031415, "With camber (5.2).";
    pvy1 "PVY1" 0.037318, "Vertical shift by load at the nominal load.";
    pvy2 "PVY2" -0.010049, "With load.";
    pvy3 "PVY3" -0.32931, "With camber.";
    pvy4 "PVY4" -0.69553, "With camber and load.";
    ppy1 "PPY1" 0.0, "Cornering stiffness with pressure (6.1).";
    ppy2 "PPY2" 0.0, "Load of the greatest stiffness with pressure (6.1).";
    ppy3 "PPY3" 0.0, "μ_y with pressure (6.1).";
    ppy4 "PPY4" 0.0, "With pressure squared.";
    ppy5 "PPY5" 0.0, "Camber stiffness with pressure (6.1).";
    rby1 "RBY1" 7.1433, "Steepness of G_yκ.";
    rby2 "RBY2" 9.1916, "With α.";
    rby3 "RBY3" -0.027856, "Shift of α.";
    rby4 "RBY4" 0.0, "With camber (6.1).";
    rcy1 "RCY1" 1.0719, "Shape of G_yκ.";
    rey1 "REY1" -0.27572, "Curvature of G_yκ.";
    rey2 "REY2" 0.32802, "With load.";
    rhy1 "RHY1" 5.7448e-6, "Shift of G_yκ.";
    rhy2 "RHY2" -3.1368e-5, "With load.";
    rvy1 "RVY1" -0.027825, "F_y that κ makes.";
    rvy2 "RVY2" 0.053604, "With load.";
    rvy3 "RVY3" -0.27568, "With camber.";
    rvy4 "RVY4" 12.12, "With α.";
    rvy5 "RVY5" 1.9, "Shape.";
    rvy6 "RVY6" -10.704, "Steepness.";
    unloaded_radius "UNLOADED_RADIUS" 0.0, "Free radius, m; 0 for the radius of the wheel.";
    q_re0 "Q_RE0" 1.0, "Ratio of the radius of the rolling tyre without load to the free radius.";
    q_v1 "Q_V1" 0.0, "Growth of that radius with the square of the speed.";
    pfz1 "PFZ1" 0.0, "Vertical stiffness with pressure (6.1).";
    vertical_stiffness "VERTICAL_STIFFNESS" 0.0, "Vertical stiffness, N/m; 0 for a rigid tyre.";
    breff "BREFF" 0.0, "Load dependence of the effective radius at low loads.";
    dreff "DREFF" 0.0, "Peak of that dependence.";
    freff "FREFF" 0.0, "Load dependence at high loads.";
    ltr "LTR" 1.0, "Scales the pneumatic trail.";
    lres "LRES" 1.0, "Scales the residual moment.";
    ls "LS" 1.0, "Scales the arm of F_x.";
    qbz1 "QBZ1" 0.0, "Steepness of the trail.";
    qbz2 "QBZ2" 0.0, "With load.";
    qbz3 "QBZ3" 0.0, "With load squared.";
    qbz4 "QBZ4" 0.0, "With camber.";
    qbz5 "QBZ5" 0.0, "With the size of the camber.";
    qbz9 "QBZ9" 0.0, "Steepness of the residual moment.";
    qbz10 "QBZ10" 0.0, "By the steepness of F_y.";
    qcz1 "QCZ1" 0.0, "Shape of the trail.";
    qdz1 "QDZ1" 0.0, "Trail by radius at the nominal load.";
    qdz2 "QDZ2" 0.0, "With load.";
    qdz3 "QDZ3" 0.0, "With camber.";
    qdz4 "QDZ4" 0.0, "With camber squared.";
    qdz6 "QDZ6" 0.0, "Residual moment.";
    qdz7 "QDZ7" 0.0, "With load.";
    qdz8 "QDZ8" 0.0, "With camber.";
    qdz9 "QDZ9" 0.0, "With camber and load.";
    qdz10 "QDZ10" 0.0, "With camber squared (6.1).";
    qdz11 "QDZ11" 0.0, "With camber squared and load (6.1).";
    qez1 "QEZ1" 0.0, "Curvature of the trail.";
    qez2 "QEZ2" 0.0, "With load.";
    qez3 "QEZ3" 0.0, "With load squared.";
    qez4 "QEZ4" 0.0, "With the sign of α.";
    qez5 "QEZ5" 0.0, "With camber and the sign of α.";
    qhz1 "QHZ1" 0.0, "Shift of the trail.";
    qhz2 "QHZ2" 0.0, "With load.";
    qhz3 "QHZ3" 0.0, "With camber.";
    qhz4 "QHZ4" 0.0, "With camber and load.";
    ssz1 "SSZ1" 0.0, "Arm of F_x by radius.";
    ssz2 "SSZ2" 0.0, "With F_y.";
    ssz3 "SSZ3" 0.0, "With camber.";
    ssz4 "SSZ4" 0.0, "With camber and load.";
    ppz1 "PPZ1" 0.0, "Trail with pressure (6.1).";
    ppz2 "PPZ2" 0.0, "Residual moment with pressure (6.1).";
    vxlow "VXLOW" 1.0, "Speed below which TNO's solver reduces slip and shifts, m/s.";
    q_v2 "Q_V2" 0.0, "Growth of the vertical stiffness with the speed.";
    q_fz2 "Q_FZ2" 0.0, "Vertical force with the deflection squared.";
    q_fz3 "Q_FZ3" 0.0, "Vertical stiffness with camber squared (6.2).";
    q_fcx "Q_FCX" 0.0, "Decrease of the vertical force with F_x.";
    q_fcy "Q_FCY" 0.0, "Decrease of the vertical force with F_y.";
    q_fcy2 "Q_FCY2" 0.0, "Exponent of that decrease over the deflection (6.2).";
    q_cam1 "Q_CAM1" 0.0, "Deflection of a cambered tyre over the loaded radius (6.2).";
    q_cam2 "Q_CAM2" 0.0, "With the radius squared.";
    q_cam3 "Q_CAM3" 0.0, "With camber.";
    q_fys1 "Q_FYS1" 0.0, "Lateral force of camber without deflection from F_y, N/rad (6.2).";
    q_fys2 "Q_FYS2" 0.0, "With the loaded radius, N/rad.";
    q_fys3 "Q_FYS3" 0.0, "With the radius squared, N/rad.";
    width "WIDTH" 0.0, "Width of the tyre, m.";
    aspect_ratio "ASPECT_RATIO" 0.0, "Height of the cross-section by the width.";
    q_ra1 "Q_RA1" 0.0, "Length of the contact patch over the root of the deflection (6.1).";
    q_ra2 "Q_RA2" 0.0, "Over the deflection (6.1).";
    q_rb1 "Q_RB1" 0.0, "Width of the contact patch over the cube root of the deflection (6.1).";
    q_rb2 "Q_RB2" 0.0, "Over the deflection (6.1).";
    q_a1 "Q_A1" 0.0, "Length of the contact patch over the root of the load (5.2); 0 for an estimate.";
    q_a2 "Q_A2" 0.0, "Over the load (5.2).";
    longitudinal_stiffness "LONGITUDINAL_STIFFNESS" 0.0, "Longitudinal stiffness of a standing tyre, N/m.";
    lateral_stiffness "LATERAL_STIFFNESS" 0.0, "Lateral stiffness of a standing tyre, N/m.";
    pcfx1 "PCFX1" 0.0, "Longitudinal stiffness with load.";
    pcfx2 "PCFX2" 0.0, "With load squared.";
    pcfx3 "PCFX3" 0.0, "With pressure.";
    pcfy1 "PCFY1" 0.0, "Lateral stiffness with load.";
    pcfy2 "PCFY2" 0.0, "With load squared.";
    pcfy3 "PCFY3" 0.0, "With pressure.";
    ptx1 "PTX1" 0.0, "Longitudinal relaxation length by radius at the nominal load (5.2).";
    ptx2 "PTX2" 0.0, "With load.";
    ptx3 "PTX3" 0.0, "Exponent with load.";
    pty1 "PTY1" 0.0, "Greatest lateral relaxation length by radius (5.2).";
    pty2 "PTY2" 0.0, "Load of that length by the nominal one.";
    lsgkp "LSGKP" 1.0, "Scales the longitudinal relaxation length (5.2).";
    lsgal "LSGAL" 1.0, "Scales the lateral relaxation length (5.2).";
    qsx1 "QSX1" 0.0, "Overturning moment without slip and camber.";
    qsx2 "QSX2" 0.0, "With camber.";
    qsx3 "QSX3" 0.0, "With F_y.";
    qsx4 "QSX4" 0.0, "Size of the part that saturates (6.1).";
    qsx5 "QSX5" 0.0, "Its shape over the load.";
    qsx6 "QSX6" 0.0, "Its steepness over the load.";
    qsx7 "QSX7" 0.0, "With camber.";
    qsx8 "QSX8" 0.0, "Its shape over F_y.";
    qsx9 "QSX9" 0.0, "Its steepness over F_y.";
    qsx10 "QSX10" 0.0, "Camber with load (6.1).";
    qsx11 "QSX11" 0.0, "Its steepness over the load.";
    qsx12 "QSX12" 0.0, "Camber squared (6.1).";
    qsx13 "QSX13" 0.0, "With F_y (6.1).";
    qsx14 "QSX14" 0.0, "With F_y and camber (6.1).";
    ppmx1 "PPMX1" 0.0, "Camber with pressure (6.1).";
    lvmx "LVMX" 1.0, "Scales QSX1.";
    lmx "LMX" 1.0, "Scales the overturning moment.";
    qsy1 "QSY1" 0.0, "Rolling resistance by load and radius.";
    qsy2 "QSY2" 0.0, "With F_x.";
    qsy3 "QSY3" 0.0, "With the speed.";
    qsy4 "QSY4" 0.0, "With the fourth power of the speed.";
    qsy5 "QSY5" 0.0, "With camber squared (6.1).";
    qsy6 "QSY6" 0.0, "With camber squared and load (6.1).";
    qsy7 "QSY7" 1.0, "Exponent of the load (6.1).";
    qsy8 "QSY8" 0.0, "Exponent of the pressure (6.1).";
    lmy "LMY" 1.0, "Scales the rolling resistance.";
    pdxp1 "PDXP1" 0.0, "Decrease of F_x with turn slip.";
    pdxp2 "PDXP2" 0.0, "With load.";
    pdxp3 "PDXP3" 0.0, "With κ.";
    pkyp1 "PKYP1" 0.0, "Decrease of the cornering stiffness with turn slip squared.";
    pdyp1 "PDYP1" 0.0, "Decrease of F_y with turn slip.";
    pdyp2 "PDYP2" 0.0, "With load.";
    pdyp3 "PDYP3" 0.0, "With α.";
    pdyp4 "PDYP4" 0.0, "With the root of the turn slip.";
    phyp1 "PHYP1" 0.0, "Shape of the lateral shift due to turn slip.";
    phyp2 "PHYP2" 0.0, "Greatest shift.";
    phyp3 "PHYP3" 0.0, "With load.";
    phyp4 "PHYP4" 0.0, "Curvature.";
    pecp1 "PECP1" 0.0, "Part of the camber that does not act as turn slip.";
    pecp2 "PECP2" 0.0, "With load.";
    qdtp1 "QDTP1" 0.0, "Decrease of the trail with turn slip.";
    qcrp1 "QCRP1" 0.0, "Moment of a tyre that turns on the spot, by friction, load and radius.";
    qcrp2 "QCRP2" 0.0, "Steepness of its part at great slip angles.";
    qbrp1 "QBRP1" 0.0, "Decrease of the residual moment with turn slip.";
    qdrp1 "QDRP1" 1.0, "Shape of the moment of turn slip.";
    qdrp2 "QDRP2" 0.0, "Its curvature.";
    lmp "LMP" 1.0, "Scales the moment of a tyre that turns on the spot.";
    qbz6 "QBZ6" 0.0, "Steepness of the trail with camber squared, in the equations of the book.";
}

/// Speed of the measurement of a file without `LONGVL`, m/s.
const NOMINAL_SPEED: f64 = 16.7;

impl Coefficients {
    /// Returns the coefficients before a tyre property file is read: no shifts, load or pressure
    /// effects, no limits, and all scales 1.
    pub fn neutral() -> Self {
        let mut neutral = Self::default();
        for name in Self::NAMES {
            let value = match *name {
                "PKY4" => 2.0,
                "Q_RE0" | "VXLOW" | "QSY7" | "QDRP1" => 1.0,
                "LONGITUDINAL_STIFFNESS" | "LATERAL_STIFFNESS" => 0.0,
                "LONGVL" => NOMINAL_SPEED,
                "FZMIN" | "PRESMIN" => 0.0,
                least if least.ends_with("MIN") => f64::NEG_INFINITY,
                most if most.ends_with("MAX") => f64::INFINITY,
                scale if scale.starts_with('L') => 1.0,
                _ => 0.0,
            };
            *neutral.named(name).expect("names come from the table") = value;
        }
        neutral
    }

    /// Multiplies the difference between left and right, lateral shifts and the asymmetry of lateral curves, by a
    /// factor: 0 for a symmetric tyre, −1 for one that is mounted on the other side.
    pub fn scale_asymmetry(&mut self, factor: f64) {
        for name in [
            "RHX1", "PHY1", "PHY2", "PVY1", "PVY2", "PEY3", "RBY3", "RVY1", "RVY2", "QHZ1", "QHZ2",
            "QDZ6", "QDZ7", "QEZ4", "SSZ1", "QSX1",
        ] {
            *self.named(name).expect("names come from the table") *= factor;
        }
    }
}
