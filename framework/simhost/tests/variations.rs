//! Differences between members: what names mean, and what is refused.

#![allow(clippy::unwrap_used)]

use simhost::{
    Difference, Differences, Odometry, Options, Session, Twist, Variation, VariationError,
};

pub const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/demo.world.xml");

fn open(text: &str) -> Session {
    Session::from_text(text, "test.world.xml", Options::default()).unwrap()
}

pub fn demo() -> Session {
    Session::open(DEMO, Options::default()).unwrap()
}

pub fn varied(texts: &[&str], members: usize) -> Result<Differences, VariationError> {
    let variations = texts.iter().map(|text| text.parse().unwrap()).collect();
    Differences::new(variations, &demo(), members, 7)
}

/// A vehicle with an off-centre mass and a turned wheel axle, and a block; the attributes of the root, and the
/// velocities of the vehicle and the block.
fn moving(root: &str, [vehicle, block]: [&str; 2]) -> String {
    format!(
        "<mvsim_world {root}><vehicle name='car'><init_pose>1 2 40</init_pose>{vehicle}\
         <dynamics class='ackermann'><chassis mass='900'><shape><pt>-0.5 -0.7</pt><pt>2.5 -0.7</pt>\
         <pt>2.5 0.7</pt><pt>-0.5 0.7</pt></shape></chassis>\
         <rl_wheel pos='0 0.8'/><rr_wheel pos='0 -0.8'/><fl_wheel pos='2.2 0.8'/><fr_wheel pos='2.2 -0.8'/>\
         <controller class='raw'/></dynamics></vehicle>\
         <block name='box'><init_pose>-5 0 30</init_pose>{block}<mass>5</mass>\
         <shape><pt>-0.2 -0.2</pt><pt>0.2 -0.2</pt><pt>0.2 0.2</pt><pt>-0.2 0.2</pt></shape></block></mvsim_world>"
    )
}

#[test]
fn a_velocity_before_the_first_step_is_that_of_init_vel() {
    let turn = 20_f64.to_radians();
    for root in ["", "compat='mvsim-1.2'"] {
        let given = ["<init_vel>4 0.3 20</init_vel>", "<init_vel>1 -0.5 20</init_vel>"];
        let mut given = open(&moving(root, given));
        let mut set = open(&moving(root, ["", ""]));
        set.edit().set_velocity("car", [4.0, 0.3, turn]).unwrap();
        set.edit().set_velocity("block/box", [1.0, -0.5, turn]).unwrap();
        let mut still = open(&moving(root, ["", ""]));
        let hash = |sim: &mut Session| {
            sim.run_steps(100).unwrap();
            sim.simulation().result_hash()
        };
        let expected = hash(&mut given);
        assert_eq!(hash(&mut set), expected, "{root}");
        assert_ne!(hash(&mut still), expected);
    }
}

#[test]
fn a_velocity_is_refused_as_a_pose_is() {
    let mut sim = demo();
    let message = |result: Result<(), simhost::Error>| result.unwrap_err().to_string();
    assert!(message(sim.edit().set_velocity("robto", [0.0; 3])).contains("mean 'robot'?"));
    let error = message(sim.edit().set_velocity("robot", [0.0, f64::INFINITY, 0.0]));
    assert_eq!(error, "a number of the velocity of 'robot' is inf; expected a finite number");
}

/// An edit that builds the simulation again keeps what was set before the first step.
#[test]
fn parameters_can_follow_poses_and_commands_before_the_first_step() {
    let run = |parameter_first: bool| {
        let mut sim = demo();
        let parameter =
            |sim: &mut Session| sim.edit().set_parameter("car/controller/KP", "300").unwrap();
        if parameter_first {
            parameter(&mut sim);
        }
        sim.edit().set_pose("robot", [1.0, 2.0, 0.5]).unwrap();
        sim.edit().set_velocity("robot", [0.4, 0.0, 0.1]).unwrap();
        sim.vehicle("robot").unwrap().command(Twist { vx: 0.5, vy: 0.0, omega: 0.1 }).unwrap();
        if !parameter_first {
            parameter(&mut sim);
        }
        sim.run_steps(50).unwrap();
        sim.simulation().state_hash().unwrap()
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn names_mean_calls_of_a_session() {
    let differences = varied(
        &[
            "robot/cmd_vel/omega=0.2",
            "robot/cmd_vel/vx=range:0.5:1:3",
            "robot/pose/y=list:1,2",
            "block/crate/pose=1 2 0.25",
            "car/velocity=2 0 0.1",
            "robot/friction/mu=list:0.5,0.7,0.9",
            "seed=list:18446744073709551615,5",
        ],
        3,
    )
    .unwrap();
    let world = demo();
    let start = world.world().description().unwrap().vehicles[0].pose;
    let made = differences.of_member(1, 0);
    let expected = [
        Difference::Parameter { name: "robot/friction/mu".to_owned(), value: "0.7".to_owned() },
        Difference::Pose { entity: "robot".to_owned(), pose: [start.x, 2.0, start.yaw] },
        Difference::Pose { entity: "block/crate".to_owned(), pose: [1.0, 2.0, 0.25] },
        Difference::Velocity { entity: "car".to_owned(), velocity: [2.0, 0.0, 0.1] },
        Difference::Command {
            vehicle: "robot".to_owned(),
            kind: "twist".to_owned(),
            values: vec![0.75, 0.0, 0.2],
        },
    ];
    assert_eq!(made, expected);
    assert_eq!([0, 1, 2].map(|member| differences.seed_of(member, 0)), [u64::MAX, 5, u64::MAX]);
    let shown = |member| {
        let values = differences.values(member, 0);
        values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ")
    };
    assert_eq!(shown(2), "0.2 | 1 | 1 | 1 2 0.25 | 2 0 0.1 | 0.9 | 18446744073709551615");
    assert_eq!(differences.columns().nth(3), Some("block/crate/pose"));

    let mut applied = demo();
    made.iter().for_each(|one| one.apply(&mut applied).unwrap());
    let mut called = demo();
    called.edit().set_parameter("robot/friction/mu", "0.7").unwrap();
    called.edit().set_pose("robot", [start.x, 2.0, start.yaw]).unwrap();
    called.edit().set_pose("block/crate", [1.0, 2.0, 0.25]).unwrap();
    called.edit().set_velocity("car", [2.0, 0.0, 0.1]).unwrap();
    called.vehicle("robot").unwrap().command(Twist { vx: 0.75, vy: 0.0, omega: 0.2 }).unwrap();
    for sim in [&mut applied, &mut called] {
        sim.run_steps(200).unwrap();
    }
    let hash = |sim: &Session| sim.simulation().state_hash().unwrap();
    assert_eq!(hash(&applied), hash(&called));
    let truth: Odometry = applied.latest("robot/ground_truth").unwrap();
    assert!(truth.twist[0] > 0.5, "{truth:?}");
}

/// A pose is set at rest, and an entity whose pose varies keeps its velocity nevertheless.
#[test]
fn a_varied_pose_keeps_the_initial_velocity() {
    let sim = open(&moving("", ["<init_vel>4 0.3 20</init_vel>", ""]));
    let vary = |texts: &[&str]| {
        let variations = texts.iter().map(|text| text.parse().unwrap()).collect();
        Differences::new(variations, &sim, 2, 0).unwrap().of_member(1, 0)
    };
    let pose = Difference::Pose { entity: "car".to_owned(), pose: [1.0, 9.0, 40_f64.to_radians()] };
    let velocity = |vx: f64| Difference::Velocity {
        entity: "car".to_owned(),
        velocity: [vx, 0.3, 20_f64.to_radians()],
    };
    assert_eq!(vary(&["car/pose/y=9"]), [pose.clone(), velocity(4.0)]);
    assert_eq!(vary(&["car/velocity/vx=1", "car/pose/y=9"]), [pose, velocity(1.0)]);
}

/// Components that do not vary have the values of the session: of the world, as set before the
/// first step, or at present.
#[test]
fn components_that_do_not_vary_are_those_of_the_session() {
    let mut sim = open(&moving("", ["<init_vel>4 0.3 20</init_vel>", ""]));
    let numbers = |sim: &Session| {
        let variations =
            vec!["car/pose/y=9".parse().unwrap(), "car/velocity/vx=2".parse().unwrap()];
        let made = Differences::new(variations, sim, 1, 0).unwrap().of_member(0, 0);
        match &made[..] {
            [Difference::Pose { pose, .. }, Difference::Velocity { velocity, .. }] => {
                [*pose, *velocity]
            }
            other => panic!("{other:?}"),
        }
    };
    let turn = 20_f64.to_radians();
    assert_eq!(numbers(&sim), [[1.0, 9.0, 40_f64.to_radians()], [2.0, 0.3, turn]]);
    sim.edit().set_pose("car", [3.0, 4.0, 0.1]).unwrap();
    assert_eq!(numbers(&sim), [[3.0, 9.0, 0.1], [2.0, 0.0, 0.0]]);
    sim.edit().set_velocity("car", [1.0, 0.2, 0.3]).unwrap();
    assert_eq!(numbers(&sim), [[3.0, 9.0, 0.1], [2.0, 0.2, 0.3]]);
    sim.run_steps(5).unwrap();
    let truth: Odometry = sim.latest("car/ground_truth").unwrap();
    let expected = [[truth.pose[0], 9.0, truth.pose[3]], [2.0, truth.twist[1], truth.twist[2]]];
    assert_eq!(numbers(&sim), expected);
}

#[test]
fn what_does_not_fit_is_refused_before_anything_runs() {
    for (text, part) in [
        ("robot/friction/mu=uniform:-1:1", "uniform:-1:1 is not accepted"),
        ("robot/friction/mu=list:0.5,fast", "fast"),
        ("robot/friction/mu=normal:0:1", "normal:0:1 is not accepted"),
        ("robot/frition/mu=0.5", "did you mean 'robot/friction'?"),
        ("robot/friction/mue=0.5", "did you mean 'robot/friction/mu'?"),
        ("robot/pos/x=0.5", "did you mean 'robot/pose/x'?"),
        ("robot/cmd_vel/vy=0.5", "did you mean 'robot/cmd_vel/vx'?"),
        ("speed=0.5", "the world is expanded once"),
        ("robot/class=other", "the world is expanded once"),
        ("robot/pose=uniform:0:1", "expected texts of 3 numbers"),
        ("robot/pose=1 2", "a value is '1 2'; expected 3 finite numbers"),
        ("robot/pose/x=a", "a value is 'a'; expected a finite number"),
        ("seed=uniform:0:1", "expected whole numbers"),
        ("seed=list:1.5", "a value is '1.5'; expected whole numbers"),
        ("seed=range:0:1:3", "a value is 0.5; expected whole numbers"),
        ("robot/pose/x=range:0:1:5", "it has 5 values; expected at most 4, the number of members"),
    ] {
        let error = varied(&[text], 4).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
        let name = text.split('=').next().unwrap();
        assert!(error.starts_with(&format!("cannot vary '{name}': ")), "{error}");
    }
    let error = |texts: &[&str]| varied(texts, 4).unwrap_err().to_string();
    assert!(error(&["robot/pose/x=1", "robot/pose/x=2"]).contains("it varies twice"));
    assert!(error(&["robot/pose/x=1", "robot/pose=1 2 3"]).contains("by component"));
    let column = Variation::column("robot/pose/x", vec![1.0; 3]);
    let error = Differences::new(vec![column], &demo(), 4, 0).unwrap_err().to_string();
    assert!(error.contains("it has 3 values; expected 4, the number of members"), "{error}");
    // more dimensions than the sequence has
    let names =
        |vehicle: usize| ["x", "y", "yaw"].map(|part| format!("robot{vehicle}/pose/{part}"));
    let robots = (0..22).map(|number| {
        format!(
            "<vehicle name='robot{number}'><dynamics class='differential'><controller class='raw'/></dynamics>\
             <init_pose>0 {number} 0</init_pose></vehicle>"
        )
    });
    let crowd = open(&format!("<mvsim_world>{}</mvsim_world>", robots.collect::<String>()));
    let sobol = |count: usize| {
        let names = (0..22).flat_map(names).take(count);
        let variations = names.map(|name| format!("{name}=sobol:0:1").parse().unwrap());
        Differences::new(variations.collect(), &crowd, 4, 0)
    };
    assert!(sobol(64).is_ok());
    let error = sobol(65).unwrap_err().to_string();
    assert!(error.ends_with("it is the Sobol dimension 65; expected at most 64"), "{error}");
    let nan = Variation::column("robot/pose/x", vec![f64::NAN; 4]);
    let error = Differences::new(vec![nan], &demo(), 4, 0).unwrap_err().to_string();
    assert!(error.contains("found NaN; expected a finite number"), "{error}");
    assert!(varied(&[], 0).unwrap_err().to_string().contains("found 0 members"));
}

/// Coefficients of a tyre vary by their names; the world file sets two of them.
#[test]
fn values_in_a_text_vary_one_by_one() {
    let world = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/tyres.world.xml");
    let open = || Session::open(world, Options::default()).unwrap();
    let name = "magic_formula/friction/coefficients";
    let mut session = open();
    session.edit().set_parameter(name, "LMUY 0.8; PKY1 -20").unwrap();
    let with = |texts: &[&str]| {
        let all = texts.iter().map(|text| format!("{name}{text}").parse().unwrap()).collect();
        Differences::new(all, &session, 3, 7)
    };
    let made = with(&[":pky1=list:-18,-22,-25", ":PDY1=0.9"]).unwrap();
    made.check_member(1, &session).unwrap();
    let value = "LMUY 0.8; pky1 -22; PDY1 0.9".to_owned();
    let expected = Difference::Parameter { name: name.to_owned(), value: value.clone() };
    assert_eq!(made.of_member(1, 0), [expected]);
    let (mut varied, mut given) = (open(), open());
    varied.edit().set_parameter(name, "LMUY 0.8; PKY1 -20").unwrap();
    made.apply(1, &mut varied).unwrap();
    given.edit().set_parameter(name, &value).unwrap();
    let hash = |session: &mut Session| {
        session.run_steps(50).unwrap();
        session.simulation().result_hash()
    };
    assert_eq!(hash(&mut varied), hash(&mut given));
    for (texts, part) in [
        (&[":PQY1=1"][..], "unknown coefficient"),
        (&[":PKY1=steep"], "expected a finite number"),
        (&["=LMUY 0.9", ":PKY1=-20"], "as a whole and by value"),
        (&[":PKY1=-20", "=LMUY 0.9"], "as a whole and by value"),
        (&["s:PKY1=-20"], "did you mean"),
    ] {
        let error = with(texts).map(drop).unwrap_err().to_string();
        assert!(error.contains(part), "{texts:?}: {error}");
    }
}
