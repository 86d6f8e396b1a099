use super::*;

const SAMPLE: &str = "# of a sample vehicle\n/**:\n  ros__parameters:\n    wheel_radius: 0.383 # m\n    \
                      wheel_base: 2.79 # between the axles\n    left_overhang: 0.0\n    \
                      max_steer_angle: 0.70\n";

fn read(text: &str) -> Result<VehicleInfo, String> {
    VehicleInfo::read(&TextFile { path: "/car.yaml".to_owned(), text: text.to_owned() })
}

#[test]
fn a_sample_gives_its_dimensions() {
    let info = read(SAMPLE).unwrap();
    assert_eq!(info.get("wheel_base"), Some(2.79));
    assert_eq!(info.get("max_steer_angle"), Some(0.7));
    assert_eq!(info.get("left_overhang"), Some(0.0));
    assert_eq!(info.get("wheel_tread"), None);
}

#[test]
fn errors_name_line_and_nearest_key() {
    let fault = |from: &str, to: &str| read(&SAMPLE.replace(from, to)).unwrap_err();
    assert!(fault("wheel_base", "whel_base").contains("missing `wheel_base`"));
    let degrees = fault("0.70", "35");
    assert!(degrees.contains(":7: max_steer_angle is 35; expected an angle in rad"), "{degrees}");
    assert!(degrees.ends_with("35 degrees are 0.6109 rad"), "{degrees}");
    assert_eq!(
        fault("2.79", "long"),
        "/car.yaml:5: wheel_base is 'long'; expected a positive number"
    );
    assert!(fault("wheel_base: 2.79", "wheel_base: -1").contains("'-1'; expected a positive"));
    assert!(fault("left_overhang: 0.0", "left_overhang: -1").contains("of at least 0"));
    assert!(fault("wheel_base:", "wheel_base").starts_with("/car.yaml:5: found `wheel_base 2"));
    assert!(fault("wheel_radius: 0.383", "wheel_base: 1").contains(":5: duplicate key"));
    assert!(fault("  ros__parameters:\n", "").starts_with("/car.yaml:3: `wheel_radius` stands"));
    assert!(fault("left_overhang: 0.0", "\tleft: 0").starts_with("/car.yaml:6: found a tab"));
    assert!(
        fault("2.79", "&a 2.79\n    wheel_tread: *a")
            .contains(":6: found `wheel_tread: *a`; expected")
    );
    assert!(fault("0.70", "[0.70]").contains("expected `key: number`"));
    assert!(fault("wheel_base: 2.79 # between the axles", "").contains("missing `wheel_base`"));
}

#[test]
fn other_keys_are_listed_and_can_have_any_value() {
    let more = "    vehicle_width: 0.5\n    sizes: &x [1, {a: 2}]\n    wheels:\n      front: 2\n    zzz: *x\n";
    let info = read(&format!("{SAMPLE}{more}")).unwrap();
    let expected =
        ["`vehicle_width` (did you mean `vehicle_height`?)", "`sizes`", "`wheels`", "`zzz`"];
    assert_eq!(info.unknown(), expected);
    assert_eq!(info.get("wheel_base"), Some(2.79));
}
