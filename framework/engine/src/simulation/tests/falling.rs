//! Blocks that leave edges, seen in whole worlds.

use crate::tests::{read, started};

const DT: f64 = 0.005;
/// A floor at 2 m that ends at x = 2.
const LEDGE: &str = "<element class=\"horizontal_plane\"><z>2</z><x_min>-20</x_min><x_max>2</x_max>\
    </element>";

fn block(name: &str, pose: &str, more: &str) -> String {
    format!(
        "<block name=\"{name}\"><init_pose3d>{pose} 0 0 0</init_pose3d><shape><pt>-0.2 -0.2</pt>\
         <pt>0.2 -0.2</pt><pt>0.2 0.2</pt><pt>-0.2 0.2</pt></shape><zmin>0</zmin><zmax>0.4</zmax>\
         <mass>5</mass>{more}</block>"
    )
}

/// Heights of the origins and positions of all movable blocks, m, at all steps.
fn run(content: &str, profile: &str, seconds: f64) -> Vec<Vec<[f64; 3]>> {
    let text = format!(
        "<mvsim_world compat=\"{profile}\"><simul_timestep>{DT}</simul_timestep>{content}</mvsim_world>"
    );
    let mut simulation = started(&read(&text), 1);
    let mut rows = Vec::new();
    for _ in 0..(seconds / DT) as usize {
        simulation.step().expect("nothing faults");
        let physics = &simulation.state.physics;
        let place = |mover: &crate::blueprint::Mover| {
            let [x, y] = physics.bodies.state(mover.body).position;
            [x, y, physics.bodies.origin_height(mover.body)]
        };
        rows.push(simulation.blueprint.movers.iter().map(place).collect());
    }
    rows
}

#[test]
fn a_block_that_slides_over_an_edge_falls_with_g_and_lands() {
    let world = LEDGE.to_owned() + &block("b", "1 0 2", "<init_vel>5 0 0</init_vel>");
    let rows = run(&world, "corrected", 4.0);
    let start = rows.iter().position(|row| row[0][2] < 2.0).expect("it falls") - 1;
    assert!((rows[start][0][0] - 2.0).abs() < 0.05, "when its centre of mass has left the edge");
    let land = rows.iter().position(|row| row[0][2] < 1e-9).expect("it lands");
    let speed = (rows[start + 2][0][0] - rows[start + 1][0][0]) / DT;
    for (k, row) in rows[start..land].iter().enumerate() {
        let [x, _, z] = row[0];
        let time = k as f64 * DT;
        assert!((z - (2.0 - 0.5 * 9.81 * time * time)).abs() < 0.02, "{z} after {time} s");
        assert!((x - rows[start][0][0] - speed * time).abs() < 0.03, "no friction in the air");
    }
    assert!(rows[land..].iter().all(|row| row[0][2].abs() < 1e-9), "no bounce");
    let last = rows[rows.len() - 1][0];
    assert!(last == rows[rows.len() - 2][0], "friction on the ground stops it");
    // the peer keeps blocks at their height
    assert!(run(&world, "mvsim-1.2", 2.0).iter().all(|row| row[0][2] == 2.0));
}

#[test]
fn a_block_falls_on_a_block_and_one_that_keeps_its_height_does_not_fall() {
    let world = LEDGE.to_owned()
        + "<block name=\"low\"><init_pose>3 0 0</init_pose><static>true</static><shape><pt>-1 -1</pt>\
           <pt>1 -1</pt><pt>1 1</pt><pt>-1 1</pt></shape><zmin>0</zmin><zmax>0.5</zmax></block>"
        + &block("b", "1 0 2", "<init_vel>4 0 0</init_vel>")
        + &block("sign", "5 5 1.5", "<skip_elevation_adjust>true</skip_elevation_adjust>");
    let rows = run(&world, "corrected", 3.0);
    let [x, _, z] = rows[rows.len() - 1][0];
    assert!(z == 0.5 && (2.0..4.0).contains(&x), "{x} {z}");
    assert!(rows.iter().all(|row| row[1] == [5.0, 5.0, 1.5]));
}

#[test]
fn a_robot_pushes_a_block_over_an_edge_and_a_lift_takes_one_along() {
    let key = |t: f64, z: f64| format!("<time_pose3d>{t} 0 0 {z} 0 0 0</time_pose3d>");
    let lift = format!(
        "<element class=\"horizontal_plane\"><init_pose>0 20 0</init_pose><x_min>-2</x_min>\
         <x_max>2</x_max><y_min>-2</y_min><y_max>2</y_max><animation type=\"keyframes\">{}{}\
         </animation></element>",
        key(0.0, 0.0),
        key(60.0, 60.0)
    );
    let robot = "<vehicle name=\"r\"><init_pose3d>0 0 2 0 0 0</init_pose3d><dynamics \
        class=\"differential_4_wheels\"><controller class=\"twist_pid\"><KP>20</KP><V>1</V>\
        </controller></dynamics></vehicle>";
    let world =
        LEDGE.to_owned() + &lift + robot + &block("b", "1 0 2", "") + &block("c", "0 20 0", "");
    let rows = run(&world, "corrected", 2.9);
    let [pushed, lifted] = [rows[rows.len() - 1][0], rows[rows.len() - 1][1]];
    assert!(pushed[2] < 1e-9 && pushed[0] > 2.0, "{pushed:?}");
    assert!((lifted[2] - 2.9).abs() < 0.02, "{lifted:?}");
}
