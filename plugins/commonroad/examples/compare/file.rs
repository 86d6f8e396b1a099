//! A file of reference numbers.

use serde_json::Value;
use simhost_commonroad::parameters::{
    Longitudinal, MISSING, Steering, Trailer, Tyre, VehicleParameters,
};

/// A derivative at a state.
pub struct Derivative {
    pub model: String,
    pub vehicle: u64,
    pub state: Vec<f64>,
    pub input: [f64; 2],
    pub rates: Vec<f64>,
}

/// States at some times, by the classical Runge-Kutta method with steps of `h` seconds.
pub struct Trajectory {
    pub model: String,
    pub vehicle: u64,
    pub input: [f64; 2],
    pub h: f64,
    /// Time, then the state.
    pub rows: Vec<Vec<f64>>,
}

/// Forces of a tyre.
pub struct TyrePoint {
    pub kappa: f64,
    pub alpha: f64,
    pub gamma: f64,
    pub f_z: f64,
    /// `Fx0`, `Fy0`, `mu_y`, `Fx`, `Fy`.
    pub expected: [f64; 5],
}

/// What a file holds; a kind that it does not have is empty.
pub struct File {
    pub derivatives: Vec<Derivative>,
    pub trajectories: Vec<Trajectory>,
    pub tire: Vec<TyrePoint>,
    pub parameters: Vec<(u64, VehicleParameters)>,
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or(MISSING)
}

fn numbers(value: &Value) -> Vec<f64> {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().map(|item| item.as_f64().unwrap_or(MISSING)).collect()
}

fn pair(value: &Value) -> [f64; 2] {
    let items = numbers(value);
    std::array::from_fn(|i| items.get(i).copied().unwrap_or(MISSING))
}

fn list<T>(file: &Value, key: &str, read: impl Fn(&Value) -> T) -> Vec<T> {
    file[key].as_array().map(|items| items.iter().map(read).collect()).unwrap_or_default()
}

impl File {
    /// Reads a file.
    pub fn read(path: &str) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        let file: Value =
            serde_json::from_str(&text).map_err(|error| format!("{path}: {error}"))?;
        if !file.is_object() {
            return Err(format!("{path}: expected an object with derivatives, trajectories, …"));
        }
        let model = |value: &Value| value["model"].as_str().unwrap_or("?").to_owned();
        let vehicle = |value: &Value| value["vehicle"].as_u64().unwrap_or_default();
        Ok(Self {
            derivatives: list(&file, "derivatives", |value| Derivative {
                model: model(value),
                vehicle: vehicle(value),
                state: numbers(&value["x"]),
                input: pair(&value["u"]),
                rates: numbers(&value["f"]),
            }),
            trajectories: list(&file, "trajectories", |value| Trajectory {
                model: model(value),
                vehicle: vehicle(value),
                input: pair(&value["u"]),
                h: number(value, "h"),
                rows: list(value, "rows", numbers),
            }),
            tire: list(&file, "tire", |value| TyrePoint {
                kappa: number(value, "kappa"),
                alpha: number(value, "alpha"),
                gamma: number(value, "gamma"),
                f_z: number(value, "Fz"),
                expected: ["Fx0", "Fy0", "mu_y", "Fx", "Fy"].map(|key| number(value, key)),
            }),
            parameters: file["parameters"]
                .as_object()
                .into_iter()
                .flatten()
                .filter_map(|(key, value)| Some((key.parse().ok()?, vehicle_of(value))))
                .collect(),
        })
    }

    /// The vehicle of a number: of the file, else built in.
    pub fn vehicle(&self, number: u64) -> Option<VehicleParameters> {
        let own = self.parameters.iter().find(|(at, _)| *at == number);
        own.map(|(_, vehicle)| *vehicle).or_else(|| VehicleParameters::of_vehicle(number))
    }
}

/// A struct whose fields are the numbers under their own names in lower case.
macro_rules! of_numbers {
    ($ty:ident, $value:expr, [$($field:ident)*] $(, $name:ident: $with:expr)*) => {{
        let lower: Vec<(String, f64)> = $value
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, value)| (key.to_lowercase(), value.as_f64().unwrap_or(MISSING)))
            .collect();
        let get = |name: &str| {
            lower.iter().find(|(key, _)| key == name).map_or(MISSING, |(_, value)| *value)
        };
        $ty { $($field: get(stringify!($field)),)* $($name: $with,)* }
    }};
}

fn vehicle_of(value: &Value) -> VehicleParameters {
    let (steering, longitudinal) = (&value["steering"], &value["longitudinal"]);
    let trailer = &value["trailer"];
    of_numbers!(
        VehicleParameters, value,
        [m m_s m_uf m_ur a b i_phi_s i_y_s i_z i_xz_s k_sf k_sdf k_sr k_sdr t_f t_r k_ras k_tsf k_tsr
         k_rad k_zt h_cg h_raf h_rar h_s i_uf i_ur i_y_w k_lt r_w t_sb t_se d_f d_r e_f e_r],
        length: number(value, "l"),
        width: number(value, "w"),
        steering: Steering {
            min: number(steering, "min"),
            max: number(steering, "max"),
            rate_min: number(steering, "v_min"),
            rate_max: number(steering, "v_max"),
        },
        longitudinal: of_numbers!(Longitudinal, longitudinal, [v_min v_max v_switch a_max]),
        trailer: Trailer {
            length: number(trailer, "l"),
            width: number(trailer, "w"),
            hitch: number(trailer, "l_hitch"),
            wheelbase: number(trailer, "l_wb"),
        },
        tyre: of_numbers!(
            Tyre, value["tire"],
            [p_cx1 p_dx1 p_dx3 p_ex1 p_kx1 p_hx1 p_vx1 r_bx1 r_bx2 r_cx1 r_ex1 r_hx1 p_cy1 p_dy1 p_dy3
             p_ey1 p_ky1 p_hy1 p_hy3 p_vy1 p_vy3 r_by1 r_by2 r_by3 r_cy1 r_ey1 r_hy1 r_vy1 r_vy3 r_vy4
             r_vy5 r_vy6]
        )
    )
}
