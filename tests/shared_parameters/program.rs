//! What the program writes and prints of a vehicle whose parameter it sets.

use std::path::Path;

use super::{files, three};
use crate::support::{Table, Workspace};

/// A case for the program: the elements of three equal vehicles, the parameter of the second one, its values, how the
/// second value is written, and a quantity.
struct Case {
    vehicle: &'static str,
    parameter: &'static str,
    values: [&'static str; 2],
    written: [&'static str; 2],
    quantity: &'static str,
}

const CASES: [Case; 4] = [
    Case {
        vehicle: "<dynamics class=\"differential\"><controller class=\"raw\"/></dynamics><friction class=\"burckhardt\"/>",
        parameter: "v1/friction/c1",
        values: ["0.2", "1.2"],
        written: ["\"burckhardt\"", "\"burckhardt\" c1=\"1.2\""],
        quantity: "v1/pose[1]",
    },
    Case {
        vehicle: "<dynamics class=\"delay_steer_acc\"><controller class=\"planning_raw\"/></dynamics>",
        parameter: "v1/dynamics/wheel_base",
        values: ["2.5", "3"],
        written: ["\"delay_steer_acc\"", "\"delay_steer_acc\" wheel_base=\"3\""],
        quantity: "v1/pose[0]",
    },
    Case {
        vehicle: "<dynamics class=\"differential\"><controller class=\"raw\"/></dynamics>\
                  <sensor class=\"laser\" name=\"s\" range_std_noise=\"0\" nrays=\"9\"/>",
        parameter: "v1/sensor/s/nrays",
        values: ["9", "13"],
        written: ["nrays=\"9\"", "nrays=\"13\""],
        quantity: "v1/sensor/s/range[7]",
    },
    Case {
        vehicle: "<dynamics class=\"differential\"><controller class=\"raw\"/></dynamics>\
                  <sensor class=\"lidar3d\" name=\"s\" vert_nrays=\"4\" horz_nrays=\"20\"/>",
        parameter: "v1/sensor/s/vert_nrays",
        values: ["4", "3"],
        written: ["vert_nrays=\"4\"", "vert_nrays=\"3\""],
        quantity: "v1/sensor/s/x[30]",
    },
];

/// The last value of a column whose name begins with a text.
fn last(table: &Table, name: &str) -> f64 {
    let column = table.header.iter().find(|column| column.starts_with(name));
    table.last(column.unwrap_or_else(|| panic!("{name} in {:?}", table.header)))
}

/// The program reports one of three equal vehicles in its files, in the metrics of members and of studies, and in repeated
/// members and runs as in a world in which the value is written.
#[test]
fn the_program_reports_the_vehicle_whose_parameter_it_sets() {
    for Case { vehicle, parameter, values, written, quantity } in CASES {
        let workspace = Workspace::new(&three([vehicle; 3]));
        let changed = vehicle.replacen(written[0], written[1], 1);
        workspace.write("written.xml", &three([vehicle, &changed, vehicle]));
        let run = |arguments: &[&str]| {
            let outcome = workspace.run(arguments);
            assert_eq!(outcome.code, 0, "{arguments:?}: {}{}", outcome.stdout, outcome.stderr);
            outcome.stdout
        };
        let name = quantity.split('[').next().unwrap();
        let record = ["--record", "v?/pose", "--record", name, "--mcap", "--duration", "0.2"];
        run(&[&["written.xml", "--out", "expected"], &record[..]].concat());
        let expected = workspace.path("expected");
        let tables = |folder: &Path| {
            let mut found = files(folder, folder);
            // they contain the manifest, and are compared below
            found.retain(|name, _| !name.ends_with(".mcap"));
            found
        };
        let same = |folder: &str| {
            let folder = workspace.path(folder);
            let (found, wanted) = (tables(&folder), tables(&expected));
            assert!(found.keys().eq(wanted.keys()), "{:?} {:?}", found.keys(), wanted.keys());
            for (file, content) in &wanted {
                assert!(found[file] == *content, "{parameter}: {file} of {}", folder.display());
            }
            let recordings = [&folder, &expected].map(|one| one.join("run.mcap"));
            let [one, two] = recordings.each_ref().map(|path| path.to_str().unwrap());
            run(&["diff", one, two]);
        };
        let set = format!("{parameter}={}", values[1]);
        run(&[&["world.xml", "--set", &set, "--out", "set"], &record[..]].concat());
        same("set");
        let rerun = workspace.run(&["rerun", "set"]);
        assert_eq!(rerun.code, 0, "{}{}", rerun.stdout, rerun.stderr);

        let value = last(&Table::read(&expected.join("quantities.csv")), quantity);
        let vary = format!("{parameter}=list:{}", values.join(","));
        let metric = format!("final:{quantity}");
        let mut members = vec!["world.xml", "--members", "2", "--vary", &vary, "--vary", "seed=0"];
        members.extend(["--metric", &metric, "--each", "--out", "members"]);
        run(&[&members[..], &record].concat());
        assert_eq!(
            last(&workspace.table_in("members", "metrics.csv"), &metric),
            value,
            "{parameter}"
        );
        same("members/member-1");

        let plan = format!(
            "world = 'world.xml'\nduration = 0.2\nseed = 0\n[vary]\n'{parameter}' = [{}]\nseed = [0]\n\
             [metrics]\nm = 'final({quantity})'\n",
            values.join(", ")
        );
        workspace.write("plan.toml", &plan);
        run(&["sweep", "plan.toml", "--out", "study"]);
        let runs = workspace.table_in("study", "runs.csv");
        assert_eq!(last(&runs, "m"), value, "{parameter}");
        run(&[&["sweep", "show", "study", "#1", "--out", "shown"], &record[..5]].concat());
        same("shown");
    }
}

/// A variable of the world can lead to fewer rays than the metrics of a study name: these have no values then.
#[test]
fn runs_with_fewer_rays_have_no_value_of_the_others() {
    let vehicle = "<dynamics class=\"differential\"><controller class=\"raw\"/></dynamics>\
                   <sensor class=\"laser\" name=\"s\" range_std_noise=\"0\" nrays=\"${rays}\"/>";
    let variable = "<variable name=\"rays\" value=\"9\"/>\n<walls>";
    let workspace = Workspace::new(&three([vehicle; 3]).replacen("<walls>", variable, 1));
    let plan = "world = 'world.xml'\nduration = 0.2\n[vary]\n'variable/rays' = [9, 5]\n[metrics]\n\
                a = 'final(v2/sensor/s/range[4])'\nb = 'final(v2/sensor/s/range[7])'\n";
    workspace.write("plan.toml", plan);
    let outcome = workspace.run(&["sweep", "plan.toml", "--out", "study"]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    let Table { header, rows } = workspace.table_in("study", "runs.csv");
    let cells = |name: &str| {
        let at = header.iter().position(|column| column.starts_with(name)).unwrap();
        rows.iter().map(|row| row[at].as_str()).collect::<Vec<_>>()
    };
    assert!(cells("a [").iter().all(|cell| cell.parse::<f64>().is_ok()), "{rows:?}");
    assert!(cells("b [")[0].parse::<f64>().is_ok() && cells("b [")[1] == "nan", "{rows:?}");
}
