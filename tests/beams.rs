//! Lidars whose beams have a width, and rosettes.

use crate::support::projects;
use crate::support::world::World;

/// Returns a world with a lidar 1 m above the ground, 4 m before a pole and 9 m before a wall.
fn world(lidar: &str) -> World {
    let pole = "<block name=\"pole\"><init_pose>4 0 0</init_pose><static>true</static>\
                <geometry type=\"cylinder\" radius=\"0.1\" length=\"3\"/></block>\n";
    World::new().step(0.01).xml(lidar).xml(pole).wall([9.0, -30.0], [9.0, 30.0], 30.0)
}

fn lidar(more: &str) -> String {
    format!(
        "<sensor class=\"lidar3d\" name=\"lidar\"><pose_3d>0 0 1 0 0 0</pose_3d>\
         <range_std_noise>0</range_std_noise><horz_nrays>81</horz_nrays><vert_nrays>5</vert_nrays>\
         <vert_fov_degrees>8</vert_fov_degrees><horz_fov_degrees>20</horz_fov_degrees>{more}</sensor>"
    )
}

/// A point: x, y, z, range, m, intensity, and number of the return.
type Point = [f64; 6];

fn scan(lidar: &str) -> Vec<Point> {
    let clouds = world(lidar).run(0.1).clouds("world.lidar");
    let [cloud] = &clouds[..] else { panic!("{} clouds", clouds.len()) };
    let fields = ["x", "y", "z", "range", "intensity", "return"].map(|name| cloud.field(name));
    (0..cloud.len()).map(|index| fields.map(|field| field[index])).collect()
}

#[test]
fn a_beam_at_an_edge_returns_twice() {
    let wide = "<beam_divergence_deg>0.4</beam_divergence_deg>";
    let both = scan(&lidar(&format!("{wide}<dual_return>true</dual_return>")));
    let strongest = scan(&lidar(wide));
    let lines = scan(&lidar(""));
    assert_eq!((lines.len(), strongest.len()), (405, 405));
    let second = both.len() - 405;
    // both edges of the pole in five rings
    assert!((10..=30).contains(&second), "{second} second returns");
    let of = |number: f64| both.iter().filter(move |point| point[5] == number);
    assert_eq!((of(1.0).count(), of(2.0).count()), (405, second));
    assert!(lines.iter().chain(&strongest).all(|point| point[5] == 1.0));
    // the second return is the last one or, where that is the strongest, the one before it
    let bearing = |point: &Point| (point[1] / point[0], point[2] / point[0]);
    for point in of(2.0) {
        let is_same_beam = |other: &&Point| {
            let ((a, b), (c, d)) = (bearing(point), bearing(other));
            (a - c).abs() < 1e-6 && (b - d).abs() < 1e-6
        };
        let first = of(1.0).find(is_same_beam).expect("a beam has a first return");
        assert!((first[3] - point[3]).abs() > 1.0 && first[4] >= point[4]);
    }
    for [x, y, _, range, intensity, _] in &both {
        let on_pole = ((x - 4.0).hypot(*y) - 0.1).abs() < 0.06;
        let on_wall = (x - 9.0).abs() < 0.11;
        assert!(on_pole || on_wall, "{x} {y}: {range} m");
        assert!((0.0..=1.0).contains(intensity));
    }
    // a beam that is divided is weaker on either surface
    let sum = |points: &[Point]| points.iter().map(|point| point[4]).sum::<f64>();
    assert!((sum(&both) / sum(&lines) - 1.0).abs() < 0.02, "{} {}", sum(&both), sum(&lines));
    assert!(sum(&strongest) < sum(&both));
}

#[test]
fn two_returns_need_a_beam_with_a_width() {
    let world = world(&lidar("<dual_return>true</dual_return>"));
    world.fails("<sensor", &["beam_divergence_deg"]);
}

#[test]
fn a_rosette_has_the_points_of_its_data_sheet() {
    let file = projects::root().join("worlds/definitions/livox-like.sensor.xml");
    let include = format!(
        "<include file=\"{}\" sensor_name=\"lidar\" sensor_z=\"5\" range_std_noise=\"0\"/>",
        file.display()
    );
    let points = scan(&include);
    // 100,000 points per second at 10 Hz, all of which meet the wall
    assert_eq!(points.len(), 10_000);
    let off = |[x, y, z, ..]: &Point| y.hypot(*z).atan2(*x).to_degrees();
    let reach = points.iter().map(off).fold(0.0, f64::max);
    assert!((19.0..=19.3).contains(&reach), "{reach}°");
}
