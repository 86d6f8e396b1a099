//! Objects along roads as prisms, in closed form.

#![allow(clippy::unwrap_used)]

use simhost_opendrive::{Network, read};

/// A road with these objects: `plan` in `<geometry>`, 200 m long, which climbs 0.1 m per m from 2 m on.
fn road(plan: &str, objects: &str) -> String {
    format!(
        r#"<OpenDRIVE><header revMajor="1" revMinor="7"/>
<road id="1" length="200" junction="-1">
<planView><geometry s="0" x="10" y="20" hdg="0.5" length="200">{plan}</geometry></planView>
<elevationProfile><elevation s="0" a="2" b="0.1" c="0" d="0"/></elevationProfile>
<lanes><laneSection s="0"><center><lane id="0" type="none"/></center>
<right><lane id="-1" type="driving"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></right></laneSection></lanes>
<objects>
{objects}
</objects></road></OpenDRIVE>"#
    )
}

fn straight(objects: &str) -> Network {
    read(&road("<line/>", objects)).unwrap()
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "found {found}, expected {expected}");
}

/// Returns s and t of a point on the straight road.
fn on_road(point: [f64; 2]) -> [f64; 2] {
    let (sin, cos) = 0.5_f64.sin_cos();
    let [x, y] = [point[0] - 10.0, point[1] - 20.0];
    [cos * x + sin * y, cos * y - sin * x]
}

#[test]
fn a_box_is_turned_about_its_place() {
    let network = straight(
        r#"<object id="b" type="building" s="30" t="12" zOffset="-0.5" hdg="1.5707963267948966" length="8" width="4" height="5"/>"#,
    );
    let found = network.obstacles(10).unwrap();
    assert_eq!(found.len(), 1);
    near(found[0].heights[0], 2.0 + 3.0 - 0.5);
    near(found[0].heights[1], 2.0 + 3.0 - 0.5 + 5.0);
    // the length is across the road
    let expected = [[32.0, 8.0], [32.0, 16.0], [28.0, 16.0], [28.0, 8.0]];
    for (corner, expected) in found[0].outline.iter().zip(expected) {
        let [s, t] = on_road(*corner);
        near(s, expected[0]);
        near(t, expected[1]);
    }
}

#[test]
fn a_round_object_has_its_radius() {
    let network = straight(r#"<object id="p" type="pole" s="30" t="-5" radius="0.2" height="3"/>"#);
    let found = network.obstacles(10).unwrap();
    for corner in &found[0].outline {
        let [s, t] = on_road(*corner);
        near((s - 30.0).hypot(t + 5.0), 0.2);
    }
}

#[test]
fn copies_change_evenly_along_the_road() {
    let network = straight(
        r#"<object id="p" type="pole" s="0" t="0" length="0.5" width="0.5" height="1">
<repeat s="20" length="40" distance="10" tStart="4" tEnd="6" heightStart="1" heightEnd="3" zOffsetStart="0" zOffsetEnd="-0.4"/>
</object>"#,
    );
    let found = network.obstacles(10).unwrap();
    assert_eq!(found.len(), 5);
    for (number, prism) in found.iter().enumerate() {
        let part = number as f64 / 4.0;
        let [s, t] = on_road(prism.outline[0]);
        near(s, 20.0 + 40.0 * part - 0.25);
        near(t, 4.0 + 2.0 * part - 0.25);
        let low = 2.0 + 0.1 * (20.0 + 40.0 * part) - 0.4 * part;
        near(prism.heights[0], low);
        near(prism.heights[1], low + 1.0 + 2.0 * part);
    }
}

#[test]
fn a_barrier_follows_its_arc() {
    let barrier = r#"<object id="b" type="barrier" s="0" t="0" height="0.8">
<repeat s="50" length="100" distance="0" tStart="5" tEnd="5" widthStart="0.3" widthEnd="0.3"/></object>"#;
    let network = read(&road("<arc curvature=\"0.02\"/>", barrier)).unwrap();
    let found = network.obstacles(1000).unwrap();
    // the centre of the arc is 50 m to the left of the start
    let centre = [10.0 - 50.0 * 0.5_f64.sin(), 20.0 + 50.0 * 0.5_f64.cos()];
    let away = |point: [f64; 2]| (point[0] - centre[0]).hypot(point[1] - centre[1]);
    let middle = |a: [f64; 2], b: [f64; 2]| [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
    let mut length = 0.0;
    for prism in &found {
        let [a, b, c, d] = prism.outline[..] else { panic!("{} corners", prism.outline.len()) };
        let ends = [middle(a, d), middle(b, c)];
        for end in ends {
            near(away(end), 45.0);
        }
        // the chord is within 2 cm of the arc, and the barrier has its width
        assert!(away(middle(ends[0], ends[1])) > 45.0 - 0.02);
        near((a[0] - d[0]).hypot(a[1] - d[1]), 0.3);
        length += (ends[1][0] - ends[0][0]).hypot(ends[1][1] - ends[0][1]);
    }
    assert!((length - 90.0).abs() < 0.02, "{length}");
    // each piece begins where the last one ends
    for pair in found.windows(2) {
        let (end, start) = (
            middle(pair[0].outline[1], pair[0].outline[2]),
            middle(pair[1].outline[0], pair[1].outline[3]),
        );
        near(end[0], start[0]);
        near(end[1], start[1]);
    }
    near(found[0].heights[0], 2.0 + 5.0);
}

#[test]
fn a_wall_grows_and_leaves_the_road() {
    let network = straight(
        r#"<object id="w" type="barrier" s="0" t="0"><repeat s="100" length="50" distance="0" tStart="5" tEnd="15"
heightStart="0" heightEnd="4" widthStart="0.2" widthEnd="1.2"/></object>"#,
    );
    let found = network.obstacles(100).unwrap();
    assert!(found.len() >= 25);
    for prism in &found {
        let [a, b, _, d] = prism.outline[..] else { panic!("{} corners", prism.outline.len()) };
        let [start, end] = [a, b].map(on_road);
        let part = (0.5 * (start[0] + on_road(d)[0]) - 100.0) / 50.0;
        near((a[0] - d[0]).hypot(a[1] - d[1]), 0.2 + part);
        near(0.5 * (start[1] + on_road(d)[1]), 5.0 + 10.0 * part);
        let length = end[0] - start[0];
        assert!(length < 2.1, "{length}");
        // the lower side is at its start, and the upper side at its end
        near(prism.heights[0], 2.0 + 10.0 + 5.0 * part);
        assert!(prism.heights[1] > 2.0 + 10.0 + 9.0 * part);
        assert!(prism.heights[1] < 2.0 + 10.0 + 9.0 * (part + 2.1 / 50.0));
    }
}

#[test]
fn outlines_replace_the_size() {
    let network = straight(
        r#"<object id="b" type="building" s="30" t="12" zOffset="1" length="80" width="40" height="50">
<outlines><outline id="0" closed="true">
<cornerRoad s="20" t="4" dz="0.5" height="2"/><cornerRoad s="20" t="8" dz="0.5" height="3"/>
<cornerRoad s="40" t="8" dz="0.5" height="2"/><cornerRoad s="40" t="4" dz="0.5" height="2"/>
<cornerRoad s="20" t="4" dz="0.5" height="2"/>
</outline></outlines></object>
<object id="f" type="barrier" s="50" t="6" zOffset="1" hdg="0">
<outline closed="false"><cornerLocal u="0" v="0" z="0" height="1"/><cornerLocal u="10" v="0" z="0" height="1"/>
<cornerLocal u="10" v="5" z="0" height="1"/></outline></object>"#,
    );
    let found = network.obstacles(10).unwrap();
    assert_eq!(found.len(), 3);
    // the corners are clockwise in the file, and the first one is there twice
    assert_eq!(found[0].outline.len(), 4);
    let turn: f64 = (0..4)
        .map(|at| [found[0].outline[at], found[0].outline[(at + 1) % 4]])
        .map(|[a, b]| a[0] * b[1] - b[0] * a[1])
        .sum();
    near(0.5 * turn, 80.0);
    near(found[0].heights[0], 2.0 + 2.0 + 0.5);
    near(found[0].heights[1], 2.0 + 4.0 + 0.5 + 2.0);
    // a fence is thin, and stands on the height of its origin
    for prism in &found[1..] {
        near(prism.heights[0], 2.0 + 5.0 + 1.0);
        let [a, _, _, d] = prism.outline[..] else { panic!("{} corners", prism.outline.len()) };
        near((a[0] - d[0]).hypot(a[1] - d[1]), 0.1);
    }
}

#[test]
fn marks_and_objects_without_a_height_are_no_obstacles() {
    let network = straight(
        r#"<object id="c" type="crosswalk" s="30" t="0" length="3" width="6" height="4"/>
<object id="m" type="pole" name="pole.osgb" s="30" t="5"/>
<object id="n" type="pole" name="pole.osgb" s="40" t="5"/>"#,
    );
    assert_eq!(network.obstacles(10).unwrap(), []);
    let notes: Vec<_> = network.notes.iter().map(|note| (note.line, note.text.as_str())).collect();
    assert_eq!(notes, [(9, "<object> without a height stops no vehicle, 2 times")]);
}

#[test]
fn wrong_objects_are_refused_with_their_lines() {
    let cases = [
        (
            r#"<object id="c" s="30" t="0" width="-1" height="4"/>"#,
            "`width` is -1; expected 0 or more",
        ),
        (r#"<object id="c" s="30" height="4"/>"#, "`t`"),
        (r#"<object id="c" s="30" t="x" height="4"/>"#, "x"),
        (
            r#"<object id="c" s="30" t="0"><repeat s="0" length="1" distance="nan"/></object>"#,
            "nan",
        ),
    ];
    for (object, expected) in cases {
        let error = read(&road("<line/>", object)).err().unwrap();
        assert_eq!(error.line, Some(8), "{object}");
        assert!(error.problem.contains(expected), "{object}: {}", error.problem);
    }
}

#[test]
fn too_many_obstacles_are_not_built() {
    let poles = r#"<object id="p" type="pole" s="0" t="0" height="1"><repeat s="0" length="100" distance="0.000001"/></object>"#;
    assert!(straight(poles).obstacles(100_000).is_none());
    let few = r#"<object id="p" type="pole" s="0" t="0" height="1"><repeat s="0" length="100" distance="50"/></object>"#;
    assert!(straight(few).obstacles(3).is_some());
    assert!(straight(few).obstacles(2).is_none());
}
