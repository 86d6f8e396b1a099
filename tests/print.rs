//! `simhost print`: the flat world gives the same results as the original.

use crate::support::Workspace;

/// World that runs for 1 s with a time step of 10 ms.
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

/// Prints the world with `flags` to `flat.xml` and returns the text.
fn print(workspace: &Workspace, flags: &[&str]) -> String {
    let outcome = workspace.run(&[&["print", "world.xml"], flags].concat());
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    workspace.write("flat.xml", &outcome.stdout);
    outcome.stdout
}

/// Returns all files of a run of 100 steps, by name.
fn files(workspace: &Workspace, world: &str, flags: &[&str]) -> Vec<(String, String)> {
    let out = format!("out_{world}");
    let outcome = workspace.run(&[&[world, "--duration", "1", "--out", &out], flags].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let entries = std::fs::read_dir(workspace.path(&out)).unwrap();
    let mut files: Vec<(String, String)> = entries
        .map(|entry| entry.unwrap())
        .map(|entry| {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            (entry.file_name().into_string().unwrap(), text)
        })
        .collect();
    // the manifest names the world file
    files.retain(|(name, _)| name != "manifest.json");
    files.sort();
    files
}

#[test]
fn the_printed_world_runs_as_the_one_it_came_from() {
    for flags in [&[][..], &["--compat", "mvsim-1.2"], &["--seed", "9"]] {
        let workspace = workspace();
        let flat = print(&workspace, flags);
        for word in ["<include", "<for", "<if", "<variable", "$"] {
            assert!(!flat.contains(word), "`{word}` in {flat}");
        }
        let of_world = files(&workspace, "world.xml", flags);
        let of_flat = files(&workspace, "flat.xml", &[]);
        assert!(of_world.iter().any(|(name, _)| name == "robot_3.scan_of_robot_3.csv"), "{flat}");
        let trajectory = of_world.iter().find(|(name, _)| name == "trajectory.csv").unwrap();
        assert_eq!(trajectory.1.lines().count(), 1 + 101 * 3);
        assert!(of_world == of_flat, "{flags:?}: other results after printing");
    }
}

#[test]
fn printing_what_was_printed_changes_nothing() {
    let workspace = workspace();
    let flat = print(&workspace, &[]);
    let again = workspace.run(&["print", "flat.xml"]);
    assert_eq!((again.code, again.stdout), (0, flat));
}

#[test]
fn the_seed_decides_the_draws() {
    let workspace = workspace();
    let [one, same, other] = ["1", "1", "2"].map(|seed| print(&workspace, &["--seed", seed]));
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
