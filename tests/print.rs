//! `simhost print`: the flat world gives the same results as the original.

use simhost_world::LoadOptions;

use crate::support::Workspace;
use crate::support::world::World;

/// World with a time step of 10 ms.
const WORLD: &str = r#"<mvsim_world version="1.0">
  <simul_timestep>0.01</simul_timestep>
  <random_seed>5</random_seed>
  <variable name="speed" value="$f{1 + 1/3}"/>
  <variable name="crowd" value="yes"/>
  <vehicle:class name="robot">
    <init_vel>$f{speed * rand()} 0 $f{unifrnd(-20, 20)}</init_vel>
    <dynamics class="differential">
      <chassis mass="$f{15 + rand()}"/>
      <controller class="twist_pid"><V>${speed}</V><W>$f{10 * sin(speed)}</W></controller>
    </dynamics>
    <sensor class="laser" name="scan_of_${PARENT_NAME}">
      <nrays>5</nrays><range_std_noise>0.01</range_std_noise>
    </sensor>
  </vehicle:class>
  <for var="i" from="1" to="3">
    <vehicle name="robot_${i}" class="robot">
      <init_pose>$f{i * pi} $f{rand()} $f{i / 7}</init_pose>
    </vehicle>
    <if condition="${crowd}"><include file="crate.xml" x="$f{i * pi + 2}" mass="2"/></if>
  </for>
  <if condition="$f{speed > 2}"><vehicle/></if>
  <include file="crate.xml" x="-3"/>
</mvsim_world>
"#;

/// Included file with arguments.
const CRATE: &str = r#"<block name="crate_${x}">
  <init_pose>${x} $f{unifrnd(-1, 1)} $f{90 * rand()}</init_pose>
  <mass>${mass|3}</mass>
  <shape><for var="k" from="0" to="5"><pt>$f{cos(k)} $f{sin(k)}</pt></for></shape>
</block>
"#;

fn workspace() -> Workspace {
    let workspace = Workspace::new(WORLD);
    workspace.write("crate.xml", CRATE);
    workspace
}

/// Writes the flat world to `flat.xml` and returns its text.
fn flatten(workspace: &Workspace, compat: Option<&str>, seed: Option<u64>) -> String {
    let compat = compat.map(str::to_owned);
    let options = LoadOptions { compat, seed, ..LoadOptions::default() };
    let text = simhost_world::flatten(&workspace.path("world.xml"), &options).unwrap();
    workspace.write("flat.xml", &text);
    text
}

#[test]
fn the_printed_world_runs_as_the_one_it_came_from() {
    let workspace = workspace();
    let of_path = |name: &str| World::of_path(&workspace.path(name));
    for (compat, seed) in [(None, None), (Some("mvsim-1.2"), None), (None, Some(9))] {
        let flat = flatten(&workspace, compat, seed);
        for word in ["<include", "<for", "<if", "<variable", "$"] {
            assert!(!flat.contains(word), "`{word}` in {flat}");
        }
        let world = of_path("world.xml");
        let world = compat.map_or(world.clone(), |compat| world.profile(compat));
        let world = seed.map_or(world.clone(), |seed| world.seed(seed));
        let (of_world, of_flat) = (world.run(1.0), of_path("flat.xml").run(1.0));
        assert!(of_world.tables.contains_key("robot_3.scan_of_robot_3.csv"), "{flat}");
        assert_eq!(of_world.table("trajectory.csv").rows.len(), 101 * 3);
        let is_same = of_world.tables == of_flat.tables;
        assert!(is_same, "{compat:?} {seed:?}: other results after printing");
    }
}

#[test]
fn printing_what_was_printed_changes_nothing() {
    let workspace = workspace();
    let flat = flatten(&workspace, None, None);
    let again = simhost_world::flatten(&workspace.path("flat.xml"), &LoadOptions::default());
    assert_eq!(again.unwrap(), flat);
    // the program prints it
    let printed = workspace.run(&["print", "world.xml"]);
    assert_eq!((printed.code, printed.stderr.as_str()), (0, ""));
    assert_eq!(printed.stdout, flat);
    let seeded = workspace.run(&["print", "world.xml", "--seed", "1"]).stdout;
    assert_eq!(seeded, flatten(&workspace, None, Some(1)));
}

#[test]
fn the_seed_decides_the_draws() {
    let workspace = workspace();
    let [one, same, other] = [1, 1, 2].map(|seed| flatten(&workspace, None, Some(seed)));
    assert_eq!(one, same);
    assert_ne!(one, other);
}

#[test]
fn mistakes_are_shown_and_nothing_is_printed() {
    let workspace = workspace();
    workspace.write("crate.xml", "<block><init_pose>${nowhere} 0 0</init_pose></block>");
    let outcome = workspace.run(&["print", "world.xml"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (12, ""));
    assert!(outcome.stderr.contains("crate.xml:1:"), "{}", outcome.stderr);
}
