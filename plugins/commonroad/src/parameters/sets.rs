//! The four vehicles of CommonRoad from commonroad-vehicle-models 3.0.2 (BSD licence).

use super::{Longitudinal, MISSING, Steering, Trailer, Tyre, VehicleParameters};

/// Defines the cars, with values side by side: Ford Escort, BMW 320i and VW Vanagon.
macro_rules! cars {
    ($($symbol:ident: $ford:expr, $bmw:expr, $vw:expr;)*) => {
        /// Ford Escort (vehicle 1).
        pub const FORD_ESCORT: VehicleParameters = VehicleParameters { $($symbol: $ford),* };
        /// BMW 320i (vehicle 2).
        pub const BMW_320I: VehicleParameters = VehicleParameters { $($symbol: $bmw),* };
        /// VW Vanagon (vehicle 3).
        pub const VW_VANAGON: VehicleParameters = VehicleParameters { $($symbol: $vw),* };
    };
}

/// A car has no trailer.
const NO_TRAILER: Trailer =
    Trailer { length: MISSING, width: MISSING, hitch: MISSING, wheelbase: MISSING };

cars! {
    length: 4.298, 4.508, 4.569;
    width: 1.674, 1.61, 1.844;
    steering:
        Steering { min: -0.91, max: 0.91, rate_min: -0.4, rate_max: 0.4 },
        Steering { min: -1.066, max: 1.066, rate_min: -0.4, rate_max: 0.4 },
        Steering { min: -1.023, max: 1.023, rate_min: -0.4, rate_max: 0.4 };
    longitudinal:
        Longitudinal { v_min: -13.9, v_max: 45.8, v_switch: 4.755, a_max: 11.5 },
        Longitudinal { v_min: -13.9, v_max: 50.8, v_switch: 7.319, a_max: 11.5 },
        Longitudinal { v_min: -11.2, v_max: 41.7, v_switch: 7.824, a_max: 11.5 };
    m: 1_225.887_846_725_334_4, 1_093.295_233_467_404_6, 1_478.897_963_776_799_8;
    m_s: 1_094.542_720_290_477, 965.710_809_880_436_3, 1_316.608_655_249_037_4;
    m_uf: 65.672_563_217_428_63, 63.792_182_605_678_4, 81.144_289_416_307_96;
    m_ur: 65.672_563_217_428_63, 63.792_182_605_678_4, 81.144_289_416_307_96;
    a: 0.883_92, 1.156_195_706_4, 1.150_791_602_4;
    b: 1.508_76, 1.422_717_093_6, 1.321_136_397_600_000_1;
    i_phi_s: 244.047_230_699_652_06, 207.265_245_579_369_52, 479.884_305_813_183_35;
    i_y_s: 1_342.259_768_848_086_4, 1_565.817_878_712_554_1, 2_204.322_715_845_899;
    i_z: 1_538.853_371_356_139_4, 1_791.599_530_012_285_6, 2_473.117_691_556_444_2;
    i_xz_s: 0.0, 0.0, 0.0;
    k_sf: 21_898.332_429_625_985, 24_453.137_879_749_014, 33_577.443_058_759_84;
    k_sdf: 1_459.390_293_720_636_2, 1_786.244_100_244_072_3, 2_405.564_099_800_005;
    k_sr: 21_898.332_429_625_985, 19_635.504_745_231_297, 39_125.020_607_598_424;
    k_sdr: 1_459.390_293_720_636_2, 1_649.083_303_488_738_2, 2_769.727_219_182_409;
    t_f: 1.389_888, 1.386_84, 1.574_292;
    t_r: 1.423_416, 1.363_98, 1.543_812_000_000_000_2;
    k_ras: 175_186.659_437_007_88, 175_186.659_437_007_88, 175_186.659_437_007_88;
    k_tsf: -12_880.270_509_148_304, -6_914.881_688_272_133, -33_948.217_142_834_066;
    k_tsr: 0.0, -2_643.600_952_015_530_8, -7_731.374_238_208_578;
    k_rad: 10_215.732_056_044_453, 10_215.732_056_044_453, 10_215.732_056_044_453;
    k_zt: 189_785.547_723_425_2, 158_294.139_811_911_5, 212_641.567_224_640_17;
    h_cg: 0.557_784_000_000_000_1, 0.574_868_954_400_000_1, 0.747_816_741_6;
    h_raf: 0.0, 0.0, 0.0;
    h_rar: 0.0, 0.0, 0.0;
    h_s: 0.594_36, 0.613_730_04, 0.804_490_644;
    i_uf: 32.539_630_759_953_61, 30.673_279_563_178_017, 50.276_902_138_127_426;
    i_ur: 32.539_630_759_953_61, 29.670_408_143_156_248, 48.348_915_457_420_69;
    i_y_w: 1.7, 1.7, 1.7;
    k_lt: 1.0278264878518764e-05, 1.6430724599974725e-05, 1.2231329122034703e-05;
    r_w: 0.344, 0.344, 0.344;
    t_sb: 0.76, 0.66, 0.64;
    t_se: 1.0, 0.0, 0.0;
    d_f: -0.623_359_580_052_493_4, -0.393_700_787_401_574_77, -0.328_083_989_501_312_35;
    d_r: -0.209_973_753_280_839_86, -0.905_511_811_023_622, -0.328_083_989_501_312_35;
    e_f: 0.0, 0.0, 0.0;
    e_r: 0.0, 0.0, 0.0;
    trailer: NO_TRAILER, NO_TRAILER, NO_TRAILER;
    tyre: TYRE, TYRE, TYRE;
}

/// Truck with a semi-trailer (vehicle 4): for kinematic models only.
pub const TRUCK_TRAILER: VehicleParameters = VehicleParameters {
    length: 5.1,
    width: 2.55,
    steering: Steering { min: -0.55, max: 0.55, rate_min: -0.7103, rate_max: 0.7103 },
    longitudinal: Longitudinal { v_min: -2.78, v_max: 22.22, v_switch: 7.824, a_max: 11.5 },
    m: MISSING,
    m_s: MISSING,
    m_uf: MISSING,
    m_ur: MISSING,
    a: 1.8,
    b: 1.8,
    i_phi_s: MISSING,
    i_y_s: MISSING,
    i_z: MISSING,
    i_xz_s: MISSING,
    k_sf: MISSING,
    k_sdf: MISSING,
    k_sr: MISSING,
    k_sdr: MISSING,
    t_f: MISSING,
    t_r: MISSING,
    k_ras: MISSING,
    k_tsf: MISSING,
    k_tsr: MISSING,
    k_rad: MISSING,
    k_zt: MISSING,
    h_cg: MISSING,
    h_raf: MISSING,
    h_rar: MISSING,
    h_s: MISSING,
    i_uf: MISSING,
    i_ur: MISSING,
    i_y_w: MISSING,
    k_lt: MISSING,
    r_w: MISSING,
    t_sb: MISSING,
    t_se: MISSING,
    d_f: MISSING,
    d_r: MISSING,
    e_f: MISSING,
    e_r: MISSING,
    trailer: Trailer { length: 13.6, width: 2.55, hitch: 12.0, wheelbase: 8.1 },
    tyre: TYRE,
};

/// The tyre of all four vehicles: 245/40 R18.
pub const TYRE: Tyre = Tyre {
    p_cx1: 1.6411,
    p_dx1: 1.1739,
    p_dx3: 0.0,
    p_ex1: 0.464_03,
    p_kx1: 22.303,
    p_hx1: 0.001_229_7,
    p_vx1: -8.8098e-06,
    r_bx1: 13.276,
    r_bx2: -13.778,
    r_cx1: 1.2568,
    r_ex1: 0.652_25,
    r_hx1: 0.005_072_2,
    p_cy1: 1.3507,
    p_dy1: 1.0489,
    p_dy3: -2.8821,
    p_ey1: -0.007_472_2,
    p_ky1: -21.92,
    p_hy1: 0.002_674_7,
    p_hy3: 0.031_415,
    p_vy1: 0.037_318,
    p_vy3: -0.329_31,
    r_by1: 7.1433,
    r_by2: 9.1916,
    r_by3: -0.027_856,
    r_cy1: 1.0719,
    r_ey1: -0.275_72,
    r_hy1: 5.7448e-06,
    r_vy1: -0.027_825,
    r_vy3: -0.275_68,
    r_vy4: 12.12,
    r_vy5: 1.9,
    r_vy6: -10.704,
};
