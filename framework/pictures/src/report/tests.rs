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
    let named = NamedRun { name: "a<b>".to_owned(), run, scene: None };
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
    let inputs = "{\"input\":\"command\",\"step\":1,\"sequence\":0,\"vehicle\":\"car\"}\n{\"inp";
    let faults = "time_s,vehicle,sensor,text\n0.5,car,brake,worn <out>\n";
    let (_folder, named) = named(&[
        ("trajectory.csv", TRAJECTORY),
        ("wheels.csv", WHEELS),
        ("manifest.json", manifest),
        ("inputs.jsonl", inputs),
        ("robot_faults.csv", faults),
    ]);
    let page = report(&named).unwrap();
    assert!(page.contains("<h1>a&lt;b&gt;</h1>") && page.contains("worn &lt;out&gt;"));
    assert!(page.contains("command: vehicle car") && page.contains("<td>0.5</td>"));
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
    assert!(matches!(report(&named), Err(PictureError::Empty { .. })));
}
