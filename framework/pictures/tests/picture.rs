//! The picture of a run, as a reader of the SVG sees it.

use simhost_pictures::{Picture, Shape, ShapeKind, Track};

fn spiral(name: &str, points: usize) -> Track {
    let point = |k: usize| {
        let angle = k as f64 * 1e-3;
        [5.0 + angle * angle.cos(), angle * angle.sin()]
    };
    Track { name: name.to_owned(), points: (0..points).map(point).collect(), ..Track::default() }
}

fn square(x: f64, y: f64) -> Vec<[f64; 2]> {
    vec![[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]]
}

fn of_tracks(tracks: Vec<Track>) -> String {
    Picture { shapes: Vec::new(), tracks }.svg()
}

#[test]
fn a_long_path_makes_a_small_file() {
    let svg = of_tracks(vec![spiral("r1", 100_000)]);
    assert!(svg.len() < 400_000, "{} bytes", svg.len());
    for text in ["r1", "x (m)", "y (m)"] {
        assert!(svg.lines().any(|line| line.trim() == text), "`{text}` is missing");
    }
}

#[test]
fn the_legend_names_the_first_vehicles() {
    let tracks = (0..40).map(|k| spiral(&format!("vehicle {k}"), 100 + k)).collect();
    let svg = of_tracks(tracks);
    assert_eq!(svg.lines().filter(|line| line.trim().starts_with("vehicle ")).count(), 24);
    assert!(svg.contains("and 16 more"));
}

#[test]
fn shapes_and_outlines_are_drawn_in_view_only() {
    let track = Track { start: square(0.0, 0.0), end: square(8.0, 0.0), ..spiral("r", 10) };
    let shapes = |at: f64| vec![Shape { kind: ShapeKind::Obstacle, outline: square(at, 3.0) }];
    let polygons = |shapes: Vec<Shape>| {
        let picture = Picture { shapes, tracks: vec![track.clone()] };
        picture.svg().matches("<polygon").count()
    };
    let outlines = polygons(Vec::new());
    assert_eq!(polygons(shapes(4.0)), outlines + 1);
    assert_eq!(polygons(shapes(1e5)), outlines);
}

#[test]
fn odd_input_gives_a_picture() {
    let nan = f64::NAN;
    let named = |name: &str, points| Track { name: name.to_owned(), points, ..Track::default() };
    let odd = vec![[0.0, 0.0], [nan, 1.0], [2.0, f64::INFINITY], [1.0, 1.0]];
    let cases = [
        vec![],
        vec![named("empty", vec![])],
        vec![named("one", vec![[3.0, 4.0]])],
        vec![named("<&>\u{1}", odd)],
        vec![named("far", vec![[0.0, 0.0], [1e300, 0.0], [1e8, 0.0]])],
        vec![Track { end: vec![[nan, nan]], ..named("nan", vec![[0.0, 0.0]]) }],
    ];
    for case in cases {
        let svg = of_tracks(case);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(!svg.contains("<&") && !svg.contains('\u{1}'), "{svg}");
    }
}

#[test]
fn a_path_is_broken_at_a_gap() {
    let gap = vec![[0.0, 0.0], [1.0, 0.0], [f64::NAN, 0.0], [2.0, 0.0], [3.0, 0.0]];
    let track = |points| Track { name: "r".to_owned(), points, ..Track::default() };
    let lines = |points| of_tracks(vec![track(points)]).matches("stroke=\"#0072B2\"").count();
    let whole = lines(vec![[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]);
    assert_eq!(lines(gap), whole + 1);
}
