//! Worlds with very many things in one place.

use super::child::{self, Ended};
use super::files::world;
use super::{Case, MAX_MEMORY, MAX_SECONDS, PATIENCE, case};

use crate::support::{OPTIMISED, Workspace};

const CROWDED: &str = "too many bodies overlap";
const ADVICE: &str = "place the bodies apart";

/// Returns `count` copies of an element, in which `${i}` is the number.
fn copies(count: usize, element: &str) -> String {
    format!("<for var=\"i\" from=\"1\" to=\"{count}\">{element}</for>")
}

const VEHICLE: &str =
    "<vehicle><dynamics class=\"differential\"/><init_pose>5 5 0</init_pose></vehicle>";
const BLOCK: &str = "<block><init_pose>5 5 0</init_pose></block>";
const WALL: &str = "<block><static>true</static><init_pose>5 5 0</init_pose></block>";
const ACTOR: &str =
    "<actor><init_pose>5 5 0</init_pose><path><waypoint>9 5 0</waypoint></path></actor>";
const STRIP: &str = "<block><shape><pt>0 0</pt><pt>100 0</pt><pt>100 0.01</pt><pt>0 0.01</pt></shape>\
                     <init_pose>0 $f{i*0.05} 45</init_pose></block>";

/// All cases with more than can be simulated.
pub const CASES: &[Case] = &[
    case("1,000 vehicles in one place", &["world.xml:2:", CROWDED, ADVICE], |w| {
        world(w, &copies(1000, VEHICLE));
    }),
    case("90,000 blocks in one place", &["world.xml:2:", CROWDED, ADVICE], |w| {
        world(w, &copies(90_000, BLOCK));
    }),
    case("90,000 vehicles in one place", &["world.xml:2:", CROWDED, ADVICE], |w| {
        world(w, &copies(90_000, VEHICLE));
    }),
    case("1,000 actors in one place", &["world.xml:2:", CROWDED, ADVICE], |w| {
        world(w, &copies(1000, ACTOR));
    }),
    case("400 vehicles in 400 fixed blocks", &["world.xml:3:", CROWDED, ADVICE], |w| {
        world(w, &format!("{}\n{}", copies(400, WALL), copies(400, VEHICLE)));
    }),
    // they do not touch each other, but their bounding boxes overlap
    case("1,000 long blocks side by side", &["world.xml:2:", CROWDED, ADVICE], |w| {
        world(w, &copies(1000, STRIP));
    }),
    case("30,000 long blocks side by side", &["world.xml:2:", CROWDED, ADVICE], |w| {
        world(w, &copies(30_000, STRIP));
    }),
    case("a rough road of 20 million samples", &["world.xml:2:", "samples", "<resolution>"], |w| {
        world(w, &rough_road(2000, 100));
    }),
    case("a hundred rough roads", &["world.xml:", "samples", "<resolution>"], |w| {
        world(w, &vec![rough_road(300, 20); 100].join("\n"));
    }),
];

fn rough_road(length: u32, width: u32) -> String {
    format!(
        "<element class=\"elevation_map\"><roughness>H</roughness><roughness_length>{length}</roughness_length>\
         <roughness_width>{width}</roughness_width><resolution>0.1</resolution></element>"
    )
}

/// A generator of random worlds (Knuth, The Art of Computer Programming, vol. 2).
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

/// Returns the elements of a random world: several kinds of things, few or very many of each, in one place, in a row or
/// in a square.
fn random_world(draws: &mut Draws) -> String {
    let mut text = String::new();
    for _ in 0..1 + draws.below(3) {
        let count = [3, 100, 300, 1000, 3000][draws.below(5)];
        let pose = ["5 5 0", "$f{i*0.3} 5 30", "$f{i*9} 5 0", "$f{(i%60)*0.2} $f{i*0.01} 0"]
            [draws.below(4)];
        let element = [VEHICLE, BLOCK, WALL, ACTOR, PLANE, REGION, FLOOR, LASERS][draws.below(8)];
        text += &copies(count, &element.replace("5 5 0", pose));
        text.push('\n');
    }
    text
}

const PLANE: &str =
    "<element class=\"vertical_plane\"><x0>-5</x0><x1>9</x1><y0>5</y0><y1>5</y1></element>";
const REGION: &str = "<element class=\"property_region\"><property_name>friction_mu</property_name>\
                      <value_double>0.5</value_double><x_max>9</x_max><y_max>9</y_max></element>";
const FLOOR: &str =
    "<element class=\"horizontal_plane\"><x_max>9</x_max><y_max>9</y_max></element>";
const LASERS: &str = "<vehicle><dynamics class=\"differential\"/><init_pose>5 5 0</init_pose>\
                      <sensor class=\"laser\"><nrays>100</nrays></sensor></vehicle>";

/// Runs a world for two steps.
fn simulated(elements: &str) -> Ended {
    let workspace = Workspace::new("");
    world(&workspace, elements);
    child::examine(&workspace, "run world.xml --duration 0.01 --quiet", MAX_MEMORY, PATIENCE)
}

/// A world beyond a bound is an error; every other world is simulated.
#[test]
fn random_crowds_are_simulated_or_refused() {
    for seed in 0..if OPTIMISED { 100 } else { 5 } {
        let elements = random_world(&mut Draws(seed));
        let ended = simulated(&elements);
        let Ended { code, said, processor_seconds, .. } = &ended;
        assert!(matches!(code, Some(0 | 12)), "{seed}: {code:?}\n{said}\n{elements}");
        if OPTIMISED {
            assert!(
                *processor_seconds < 5.0 * MAX_SECONDS,
                "{seed}: {processor_seconds} s\n{elements}"
            );
        }
    }
}
