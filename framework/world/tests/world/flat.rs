//! Flat worlds have the same description as the world they were printed from.

use simhost_world::{LoadOptions, flatten, load};

use crate::{Catalogue, compat};

/// Returns the text of a description without positions.
fn described(world: &simhost_world::World) -> String {
    // the fingerprint covers the tree, in which the flat world has `compat` and `flat`, and nothing is drawn
    let world = simhost_world::World { fingerprint: 0, random_values: Vec::new(), ..world.clone() };
    let text = format!("{world:?}");
    let mut parts = text.split("Span {");
    let mut result = parts.next().unwrap().to_owned();
    for part in parts {
        result.push_str(part.split_once('}').unwrap().1);
    }
    result
}

const CLASS: &str = "<vehicle:class name=\"c\"><dynamics class=\"${d|differential}\"><chassis mass=\"$f{5+rand()}\"/>\
    </dynamics><friction class=\"odd\"><needed>$f{randn()}</needed><table>t.csv</table>\
    <rounds>$f{7/2}</rounds></friction>\
    <if condition=\"${more|1}\"><include file=\"laser.xml\" name=\"in_class\"/></if></vehicle:class>";
const LASER: &str = "<sensor class=\"laser\" name=\"${name|}\"><label>a &lt; \"${NAME}\" &amp; $5 ${PARENT_NAME}</label>\
    <max_range>$f{1/3}</max_range></sensor>";
const WORLDS: &[&str] = &[
    "<gravity>$f{9 + rand()}</gravity><duration>3</duration>",
    "<include file=\"sub/c.xml\"/><for var=\"i\" from=\"1\" to=\"3\"><vehicle name=\"r${i}\" class=\"c\">\
        <init_pose>$f{rand()*10} ${i} 0</init_pose><include file=\"sub/laser.xml\" name=\"l${i}\"/></vehicle></for>",
    "<include file=\"sub/c.xml\" d=\"ackermann\" more=\"no\"/><vehicle class=\"c\"><init_pose3d>0 0 $f{1e-9} 0 0 0\
        </init_pose3d></vehicle><random_seed>7</random_seed>",
    "<block:class name=\"b\"><mass>$f{1+rand()}</mass></block:class><for var=\"i\" from=\"1\" to=\"2\">\
        <block class=\"b\"><init_pose>$f{i*3} 0 0</init_pose></block></for><block><init_pose>0 5 0</init_pose></block>\
        <walls><shape><for var=\"k\" from=\"0\" to=\"3\"><pt>${k} $f{sqrt(k)}</pt></for></shape></walls>",
];

#[test]
fn a_flat_world_has_the_same_description() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("sub")).unwrap();
    for (name, text) in [("sub/c.xml", CLASS), ("sub/laser.xml", LASER), ("sub/t.csv", "1")] {
        std::fs::write(path(name), text).unwrap();
    }
    let elsewhere = tempfile::tempdir().unwrap();
    for text in WORLDS {
        std::fs::write(path("w.xml"), format!("<mvsim_world version=\"1.0\">{text}</mvsim_world>"))
            .unwrap();
        for options in [LoadOptions::default(), compat()] {
            let original = load(&path("w.xml"), &options, &Catalogue::new());
            let original = original.unwrap_or_else(|error| panic!("{error}"));
            let printed = flatten(&path("w.xml"), &options).unwrap();
            for gone in ["$", "<include", "<for", "<if", "<variable"] {
                assert!(!printed.contains(gone), "{printed}");
            }
            let copy = elsewhere.path().join("flat.xml");
            std::fs::write(&copy, &printed).unwrap();
            let again = load(&copy, &LoadOptions::default(), &Catalogue::new());
            let again = again.unwrap_or_else(|error| panic!("{printed}\n{error}"));
            assert_eq!(described(&again.world), described(&original.world), "{printed}");
            assert_eq!(flatten(&copy, &LoadOptions::default()).unwrap(), printed);
        }
    }
}

#[test]
fn seed_and_profile_of_the_options_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.xml");
    std::fs::write(
        &path,
        "<mvsim_world><random_seed>1</random_seed><gravity>$f{rand()}</gravity></mvsim_world>",
    )
    .unwrap();
    let options = LoadOptions { seed: Some(5), ..compat() };
    let printed = flatten(&path, &options).unwrap();
    assert!(printed.starts_with(
        "<mvsim_world compat=\"mvsim-1.2\" flat=\"true\">\n  <random_seed>5</random_seed>\n"
    ));
    assert_ne!(printed, flatten(&path, &compat()).unwrap());
}

#[test]
fn a_flat_world_is_not_evaluated() {
    let text = "<mvsim_world flat=\"true\"><for var=\"i\" from=\"1\" to=\"2\"/></mvsim_world>";
    assert!(crate::errors(crate::world(text)).contains("remove flat=\"true\""));
}
