//! Tests of reports.

use super::*;

const TRAJECTORY: &str = "time_s,vehicle,x_m,y_m,z_m,yaw_rad,pitch_rad,roll_rad,vx_mps,vy_mps,omega_radps\n\
    0,c<!--ar,1,2,0,0.5,0,0,3,0,0\n1,c<!--ar,2,2,0,0.5,0,0,nan,0,0\n";
const WHEELS: &str = "time_s,vehicle,wheel,spin_radps,angle_rad,steer_rad,torque_nm,normal_n,vx_mps,vy_mps,fx_n,fy_n\n\
    0,c<!--ar,l,1,0,0,0,100,1,0,30,40\n1,c<!--ar,l,1,0,1.5707963267948966,0,100,1,0,30,40\n";

fn named(files: &[(&str, &str)]) -> (tempfile::TempDir, NamedRun) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let run = Run::open(folder.path(), &keeps(folder.path())).unwrap();
    let named = NamedRun { name: "a<b>".to_owned(), run, world: None, scene: None };
    (folder, named)
}

fn data_of(page: &str) -> serde_json::Value {
    let start = "<script id=\"data\" type=\"application/json\">";
    let (_, rest) = page.split_once(start).unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_report_holds_everything_it_shows() {
    let manifest =
        "{\"simhost\": \"1\", \"timestep_s\": 0.5, \"vehicles\": [{\"name\": \"c<!--ar\"}]}";
    let inputs =
        "{\"input\":\"clear_faults\",\"step\":1,\"sequence\":1,\"vehicle\":\"car\"}\n{\"inp";
    let faults = "time_s,vehicle,sensor,text\n0.5,car,brake,worn <out>\n";
    let (_folder, named) = named(&[
        ("trajectory.csv", TRAJECTORY),
        ("wheels.csv", WHEELS),
        ("manifest.json", manifest),
        ("inputs.jsonl", inputs),
        ("robot_faults.csv", faults),
    ]);
    let page = report(std::slice::from_ref(&named), &ReportOptions::default()).unwrap();
    assert!(page.contains("<h1>a&lt;b&gt;</h1>") && page.contains("worn &lt;out&gt;"));
    assert!(page.contains("clear faults: vehicle car") && page.contains("<td>0.5</td>"));
    assert!(page.contains("not complete"));
    for loaded in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(loaded), "{loaded}");
    }
    let data = data_of(&page);
    assert_eq!(data["vehicles"][0]["n"], "c<!--ar");
    assert_eq!(data["charts"][0]["q"], "speed (m/s)");
    assert_eq!(data["charts"][0]["lines"][0]["y"], serde_json::json!([3, null]));
    let wheel = &data["wheels"][0];
    assert_eq!(wheel["x"], serde_json::json!([0.3, 0.4]), "a quarter turn swaps the components");
    assert_eq!(wheel["y"], serde_json::json!([0.4, -0.3]));
}

#[test]
fn a_run_without_rows_has_no_report() {
    let header = TRAJECTORY.lines().next().unwrap().to_owned() + "\n";
    let (_folder, named) = named(&[("trajectory.csv", &header)]);
    assert!(matches!(
        report(std::slice::from_ref(&named), &ReportOptions::default()),
        Err(PictureError::Empty { .. })
    ));
}

#[test]
fn several_runs_share_charts_and_have_names_and_notes() {
    let manifest = "{\"simhost\": \"1\", \"timestep_s\": 0.5, \"vehicles\": [{\"name\": \"c<!--ar\", \
        \"mass_kg\": 12.5, \"yaw_inertia_kgm2\": 1, \"centre_of_mass_m\": [0.5, 1e-17], \"wheels\": [ \
        {\"name\": \"l\", \"position_m\": [1.5, 0.4]}, {\"name\": \"r\", \"position_m\": [0, -0.4]}]}], \
        \"models\": [{\"kind\": \"friction\", \"class\": \"simhost/default\", \
        \"parameters\": {\"mu\": 0.75}, \"vehicles\": [\"c<!--ar\"]}]}";
    let files =
        [("trajectory.csv", TRAJECTORY), ("wheels.csv", WHEELS), ("manifest.json", manifest)];
    let (_one, first) = named(&files);
    let (_two, mut second) = named(&files);
    second.name = "b".to_owned();
    let options = ReportOptions {
        title: Some("Two & more".to_owned()),
        notes: vec!["Dry <road>.".to_owned()],
        of: vec!["x+y".to_owned()],
    };
    let page = report(&[first, second], &options).unwrap();
    assert!(page.contains("<h1>Two &amp; more</h1>") && page.contains("<p>Dry &lt;road&gt;.</p>"));
    // runs with equal vehicles share a column of the data sheet
    assert!(page.contains("<th>a&lt;b&gt;, b</th>"), "{page}");
    for row in ["<td>12.5</td>", "<td>0.5, 0</td>", "<td>default: mu 0.75</td>", "<td>1.5</td>"] {
        assert!(page.contains(row), "{row}");
    }
    let data = data_of(&page);
    let shown: Vec<&serde_json::Value> =
        data["charts"].as_array().unwrap().iter().filter(|chart| chart["on"] == true).collect();
    assert_eq!((shown.len(), &shown[0]["q"]), (1, &"x, y (m)".into()));
    let names: Vec<&str> = shown[0]["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["n"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["a<b> x", "a<b> y", "b x", "b y"]);
    assert_ne!(shown[0]["lines"][0]["c"], shown[0]["lines"][2]["c"], "a colour per run");
}

#[test]
fn errors_of_rounding_are_drawn_as_zero_and_sensors_apart() {
    let quantities =
        "time_s,c<!--ar/sensor/a/ax (m/s²),c<!--ar/sensor/b/ax (m/s²)\n0,1,5\n1,1e-14,6\n";
    let quantities = quantities.replace(" (m/s²)", "");
    let (_folder, named) =
        named(&[("trajectory.csv", TRAJECTORY), ("quantities.csv", &quantities)]);
    let page = report(std::slice::from_ref(&named), &ReportOptions::default()).unwrap();
    let data = data_of(&page);
    let charts = data["charts"].as_array().unwrap();
    let of = |name: &str| {
        let found = charts.iter().find(|chart| chart["q"].as_str().unwrap().starts_with(name));
        found.unwrap_or_else(|| panic!("{name}: {charts:?}"))
    };
    assert_eq!(of("sensor/a ax")["lines"][0]["y"], serde_json::json!([1, 0]));
    assert_eq!(of("sensor/b ax")["lines"].as_array().unwrap().len(), 1);
}
