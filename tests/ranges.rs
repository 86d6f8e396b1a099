//! Readings of sensors that measure distances, with noise as large as their range.

use crate::support::world::{World, differential, model, vehicle};

/// Sensors of distances with parameters for a smallest and a largest range, m, and noise, m; the quantity of their
/// readings, and whether readings are at least the smallest range.
const SENSORS: [(&str, &str, &str, bool); 7] = [
    ("laser", "<nrays>9</nrays><fov_degrees>360</fov_degrees>MAX NOISE", "range", false),
    ("lidar3d", "<horz_nrays>9</horz_nrays><vert_nrays>4</vert_nrays>MIN MAX NOISE", "range", true),
    (
        "lidar3d",
        "<horz_nrays>9</horz_nrays><vert_nrays>4</vert_nrays><beam_divergence_deg>3</beam_divergence_deg>\
         <dual_return>true</dual_return>MIN MAX NOISE",
        "range",
        true,
    ),
    (
        "radar",
        "<horz_fov_degrees>360</horz_fov_degrees><horz_nrays>90</horz_nrays><vert_nrays>2</vert_nrays>\
         <max_detections>8</max_detections><detection_range>500</detection_range>MIN MAX NOISE",
        "range",
        true,
    ),
    ("sonar", "<fov_degrees>120</fov_degrees>MIN MAX NOISE", "range", true),
    (
        "uwb",
        "<anchor><x>3</x><y>1</y><z>1</z></anchor><anchor><x>-4</x><y>6</y><z>2</z></anchor>\
         <nlos_bias>5</nlos_bias>MAX NOISE",
        "range",
        false,
    ),
    ("objects", "MAX <position_std_noise>SIGMA</position_std_noise>", "distance", false),
];

/// Returns the sensor at a place of the table, which is its name.
fn sensor(place: usize, least: f64, most: f64, sigma: f64) -> String {
    let (class, content, ..) = SENSORS[place];
    let content = content
        .replace("MIN", "<min_range>LEAST</min_range>")
        .replace("MAX", "<max_range>MOST</max_range>")
        .replace("NOISE", "<range_std_noise>SIGMA</range_std_noise>")
        .replace("LEAST", &least.to_string())
        .replace("MOST", &most.to_string())
        .replace("SIGMA", &sigma.to_string());
    format!(
        "<sensor class=\"{class}\" name=\"{place}\"><sensor_period>0.01</sensor_period>\
         <pose_3d>0 0 0.8 0 0 0</pose_3d>{content}</sensor>"
    )
}

#[test]
fn no_noise_moves_a_reading_out_of_the_range_of_its_sensor() {
    let mut random = fastrand::Rng::with_seed(6);
    let mut seen = [false; SENSORS.len()];
    for seed in 0..6 {
        let least = 0.1 + 2.0 * random.f64();
        let most = least + 0.3 + 12.0 * random.f64();
        let sigma = most * 10f64.powf(1.5 * random.f64() - 1.0);
        let sensors: String = (0..SENSORS.len()).map(|n| sensor(n, least, most, sigma)).collect();
        let turning = model("twist_ideal").set("V", 0.2).set("W", 60);
        let at = |distance: f64, side: f64| [distance * side, -distance];
        let mut world = World::new().step(0.01).seed(seed).record("a/sensor/**");
        for side in [-1.0, 1.0] {
            let to = [-at(most, side)[0], at(most, side)[1]];
            world = world.wall(at(most, side), to, 3.0).vehicle(
                &format!("other_{}", side > 0.0),
                differential().pose(0.6 * most * side, side, 90.0),
            );
        }
        let own = vehicle(model("differential")).controller(turning).pose(0, 0, 0).xml(&sensors);
        let table = world.vehicle("a", own).run(1.0).table("quantities.csv").clone();
        for (place, (class, _, quantity, has_least)) in SENSORS.iter().enumerate() {
            let least = if *has_least { least } else { 0.0 };
            let start = format!("a/sensor/{place}/{quantity}");
            let columns = table.header.iter().filter(|name| name.starts_with(&start));
            let readings: Vec<f64> = columns.flat_map(|name| table.numbers(name)).collect();
            seen[place] |= readings.iter().any(|range| *range > 0.0);
            // where nothing is found, the reading is 0 or unknown
            let is_reading = |range: &f64| *range != 0.0 && !range.is_nan();
            let beyond = |range: &&f64| {
                is_reading(range) && !(least..=most * (1.0 + 1e-12)).contains(*range)
            };
            let beyond: Vec<&f64> = readings.iter().filter(beyond).collect();
            assert!(beyond.is_empty(), "{class}, {least} to {most} m, σ {sigma} m: {beyond:?}");
        }
    }
    assert_eq!(seen, [true; SENSORS.len()], "a sensor sees nothing");
}
