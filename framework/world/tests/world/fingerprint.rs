//! Fingerprints: equal for worlds with the same content.

use simhost_world::LoadOptions;

use crate::{compat, world_with};

const TERRAIN: &str = "0 0 0 9 9 9\n1 0 0 9 9 9\n0 1 0 9 9 9\n1 1 1 9 9 9\n";
const PART: &str = "<block><init_pose>3 0 0</init_pose></block>";

fn text(inner: &str) -> String {
    format!(
        "<mvsim_world version=\"1.0\"><random_seed>4</random_seed>{inner}\
         <block name=\"b\"><init_pose>1 2 3</init_pose></block></mvsim_world>"
    )
}

fn of(text: &str, files: &[(&str, &str)], options: &LoadOptions) -> u128 {
    world_with(text, files, options).unwrap().world.fingerprint
}

#[test]
fn only_the_content_of_a_world_counts() {
    let options = LoadOptions::default();
    let include = text("<include file=\"part.xml\"/>");
    let files = [("part.xml", PART)];
    let first = of(&include, &files, &options);
    assert_ne!(first, 0);
    // folders, white space, comments and the division into files do not count
    let spaced = include.replace("<block", "\n  <!-- a block -->\n  <block");
    assert_eq!(of(&spaced, &files, &options), first);
    assert_eq!(of(&text(PART), &[], &options), first);
    // nor does the end of a run
    let longer = include.replace("<random_seed>", "<duration>7</duration><random_seed>");
    assert_eq!(of(&longer, &files, &options), first);
    // values, the structure of the tree and the profile count
    for other in [
        include.replace("1 2 3", "1 2 4"),
        include.replace("\"b\"", "\"c\""),
        include.replace(">4<", ">5<"),
    ] {
        assert_ne!(of(&other, &files, &options), first, "{other}");
    }
    assert_ne!(of(&include, &[("part.xml", &PART.replace('3', "4"))], &options), first);
    assert_ne!(of(&include, &files, &compat()), first);
}

#[test]
fn random_draws_count_by_their_values() {
    let drawn = text("<block><init_pose>$f{rand()} 0 0</init_pose></block>");
    let with = |seed| of(&drawn, &[], &LoadOptions { seed, ..LoadOptions::default() });
    assert_eq!(with(None), with(Some(4)));
    assert_ne!(with(None), with(Some(5)));
}

#[test]
fn files_count_by_their_content() {
    let map = text(
        "<element class=\"elevation_map\"><dem_xyzrgb_file>dem.txt</dem_xyzrgb_file>\
         <resolution>1</resolution></element>",
    );
    let with = |terrain: &str| of(&map, &[("dem.txt", terrain)], &LoadOptions::default());
    assert_eq!(with(TERRAIN), with(TERRAIN));
    assert_ne!(with(TERRAIN), with(&TERRAIN.replace("1 1 1", "1 1 2")));
}
