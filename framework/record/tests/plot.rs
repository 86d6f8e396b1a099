//! The plot of paths.

use simhost_record::trajectory_svg;

fn spiral(name: &str, points: usize) -> (String, Vec<[f64; 2]>) {
    let point = |k: usize| {
        let angle = k as f64 * 1e-3;
        [5.0 + angle * angle.cos(), angle * angle.sin()]
    };
    (name.to_owned(), (0..points).map(point).collect())
}

#[test]
fn a_long_path_makes_a_small_file() {
    let svg = trajectory_svg(&[spiral("r1", 100_000)]);
    assert!(svg.len() < 400_000, "{} bytes", svg.len());
    assert_eq!(svg.matches("<circle").count(), 1);
    assert!(svg.contains(">r1</text>") && svg.contains("x (m)") && svg.contains("y (m)"));
}

#[test]
fn each_vehicle_has_a_colour_and_twelve_a_name() {
    let paths: Vec<_> = (0..40).map(|k| spiral(&format!("vehicle {k}"), 100 + k)).collect();
    let svg = trajectory_svg(&paths);
    let colours: std::collections::HashSet<_> = svg
        .lines()
        .filter(|line| line.starts_with("<circle"))
        .filter_map(|line| line.split("stroke=\"").nth(1))
        .map(|rest| &rest[..7])
        .collect();
    assert_eq!(colours.len(), 40);
    assert_eq!(svg.matches(">vehicle ").count(), 12);
    assert!(svg.contains("and 28 more"));
}

#[test]
fn odd_input_gives_a_plot() {
    let nan = f64::NAN;
    let cases = [
        vec![],
        vec![("empty".to_owned(), vec![])],
        vec![("one".to_owned(), vec![[3.0, 4.0]])],
        vec![(
            "<&>\u{1}".to_owned(),
            vec![[0.0, 0.0], [nan, 1.0], [2.0, f64::INFINITY], [1.0, 1.0]],
        )],
        vec![("far".to_owned(), vec![[0.0, 0.0], [1e300, 0.0], [1e8, 0.0]])],
    ];
    for case in cases {
        let svg = trajectory_svg(&case);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(!svg.contains("<&") && !svg.contains('\u{1}'), "{svg}");
    }
}

#[test]
fn a_path_is_broken_at_a_gap_and_drawn_to_its_end() {
    let path = vec![[0.0, 0.0], [1.0, 0.0], [f64::NAN, 0.0], [2.0, 0.0], [3.0, 0.0], [3.0001, 0.0]];
    let svg = trajectory_svg(&[("r".to_owned(), path)]);
    let data = svg.lines().find(|line| line.starts_with("<path d=\"M") && line.contains('L'));
    let data = data.unwrap_or_default();
    assert_eq!(data.matches('M').count(), 2, "{svg}");
    assert_eq!(data.matches('L').count(), 3, "{data}");
}
