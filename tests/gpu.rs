//! `--gpu`: readings of lidars from compute shaders compared with the CPU, and programs without
//! them.
//!
//! `cargo test -p simhost-cli --features gpu gpu` runs all of it, on Mesa's software Vulkan.

use std::process::Command;

fn simhost(arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_simhost"));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let output = command.args(arguments).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn an_unknown_mode_is_refused() {
    let (code, message) = simhost(&["worlds/lidar.world.xml", "--gpu", "fast"]);
    assert_eq!(code, 2);
    assert!(message.contains("'fast'") && message.contains("require"), "{message}");
}

#[cfg(not(feature = "gpu"))]
#[test]
fn a_program_without_scans_on_a_gpu_says_how_to_get_them() {
    for mode in ["auto", "require", "software"] {
        let (code, message) = simhost(&["worlds/lidar.world.xml", "--gpu", mode]);
        assert_eq!(code, 2);
        assert!(message.contains("--features gpu"), "{message}");
        assert!(message.contains(&format!("--gpu {mode}")), "{message}");
    }
    assert_eq!(simhost(&["worlds/demo.world.xml", "--duration", "0.1", "--gpu", "off"]).0, 0);
}

#[cfg(feature = "gpu")]
mod with_feature {
    use std::collections::BTreeMap;
    use std::path::Path;

    use simhost::output::Manifest;
    use simhost::{
        Differences, Ensemble, EnsembleOptions, Gpu, GpuEntry, GpuMode, Options, SensorEntry,
        Session, Variation,
    };

    use super::simhost;
    use crate::support::images::Image;

    /// Exit code for a GPU that is required and missing.
    const NO_GPU: i32 = 14;

    /// A fixed lidar next to a moving cart and a column. A laser of the cart scans the plane, and
    /// its lidar has noise on its angles.
    const WORLD: &str = r#"<mvsim_world><simul_timestep>0.01</simul_timestep><duration>0.4</duration>
        <vehicle name="other"><init_pose>2 2 40</init_pose><init_vel>0.5 0 40</init_vel>
          <dynamics class="differential"><controller class="twist_ideal"/></dynamics>
          <sensor class="laser" name="plane"/>
          <sensor class="lidar3d" name="noisy"><horz_nrays>8</horz_nrays>
            <angle_std_noise_deg>0.1</angle_std_noise_deg></sensor></vehicle>
        <sensor class="lidar3d" name="post"><pose_3d>1 -1 1.2 30 0 0</pose_3d><sensor_period>0.1</sensor_period>
          <vert_nrays>16</vert_nrays><horz_nrays>360</horz_nrays><max_range>40</max_range></sensor>
        <block name="column"><static>true</static><init_pose>-3 2 0</init_pose><shape_from_visual/>
          <geometry type="cylinder" radius="0.4" length="3"/></block></mvsim_world>"#;

    fn run(world: &Path, folder: &Path, mode: &str) -> (i32, String) {
        let (world, folder) = (world.to_str().unwrap(), folder.to_str().unwrap());
        simhost(&[world, "--gpu", mode, "--out", folder])
    }

    /// Returns the fields of all points of a cloud by time and ring: range, entity and class.
    fn points(path: &Path) -> BTreeMap<(u32, u16), (f32, u32, u16)> {
        const POINT: usize = 34;
        let bytes = std::fs::read(path).unwrap();
        let start = bytes.windows(12).position(|part| part == b"DATA binary\n").unwrap() + 12;
        assert_eq!((bytes.len() - start) % POINT, 0);
        let word =
            |point: &[u8], at: usize| u32::from_le_bytes(point[at..at + 4].try_into().unwrap());
        let half =
            |point: &[u8], at: usize| u16::from_le_bytes(point[at..at + 2].try_into().unwrap());
        let rest = bytes[start..].chunks_exact(POINT).enumerate();
        rest.map(|(at, point)| {
            // without a time of their own, points differ by their order
            let key = if word(point, 22) == 0 { at as u32 } else { word(point, 22) };
            let range = f32::from_bits(word(point, 12));
            ((key, half(point, 20)), (range, word(point, 26), half(point, 30)))
        })
        .collect()
    }

    /// Compares all clouds of a sensor. Returns the numbers of points and of differences.
    fn compare(one: &Path, other: &Path) -> (usize, usize) {
        let (mut count, mut differ) = (0, 0);
        for entry in std::fs::read_dir(one).unwrap() {
            let name = entry.unwrap().file_name();
            let (some, others) = (points(&one.join(&name)), points(&other.join(&name)));
            count += some.len();
            differ += some.len().abs_diff(others.len());
            differ += some
                .iter()
                .filter(|(key, (range, entity, class))| {
                    others.get(*key).is_none_or(|(far, others, other)| {
                        (range - far).abs() > 1e-4 * range || (entity, class) != (others, other)
                    })
                })
                .count();
        }
        (count, differ)
    }

    fn gpu_of(folder: &Path) -> GpuEntry {
        Manifest::read(folder).unwrap().gpu.unwrap()
    }

    /// Returns whether there is a driver that runs on the CPU.
    fn has_driver(message: &str, code: i32) -> bool {
        if code == NO_GPU {
            assert!(message.contains("mesa-vulkan-drivers"), "{message}");
            eprintln!("skipped: no software Vulkan, which mesa-vulkan-drivers has");
        }
        code != NO_GPU
    }

    #[test]
    fn lidars_read_the_same_on_an_adapter() {
        let folder = tempfile::tempdir().unwrap();
        let (off, software) = (folder.path().join("off"), folder.path().join("software"));
        let world = Path::new("worlds/lidar.world.xml");
        let (code, message) = run(world, &software, "software");
        if !has_driver(&message, code) {
            return;
        }
        assert_eq!((code, run(world, &off, "off").0), (0, 0), "{message}");
        let (count, differ) = compare(&off.join("cart.lidar"), &software.join("cart.lidar"));
        assert!(count > 1_000_000, "{count} points");
        assert!(differ <= count / 10_000, "{differ} of {count} points differ");
        let hash = |folder: &Path| Manifest::read(folder).unwrap().end.unwrap().result_hash;
        assert_eq!(hash(&off), hash(&software));
        assert_eq!(Manifest::read(&off).unwrap().gpu, None);
        let entry = gpu_of(&software);
        assert!(entry.adapter.is_some() && entry.fallback.is_none(), "{entry:?}");
        assert_eq!(entry.backend.as_deref(), Some("Vulkan"));
        let (code, message) = simhost(&["rerun", software.to_str().unwrap()]);
        assert_eq!(code, 0, "{message}");
    }

    /// A camera with all images on a cart that drives and turns, and a fisheye lens in the world.
    fn cameras() -> String {
        let images = ["depth", "class", "instance", "flow"]
            .map(|kind| format!("<sense_{kind}>true</sense_{kind}>"))
            .concat();
        let size =
            "<ncols>160</ncols><nrows>120</nrows><fx>100</fx><fy>100</fy><cx>80</cx><cy>60</cy>";
        let wide = "<lens_model>equidistant</lens_model><pose_3d>0 -3 2 -90 0 -90</pose_3d>";
        let common = format!("<sensor_period>0.1</sensor_period>{size}{images}");
        let eye = format!("<sensor class=\"camera\" name=\"eye\">{common}</sensor></vehicle>");
        let fixed = format!(
            "<sensor class=\"camera\" name=\"fixed\">{wide}{common}</sensor></mvsim_world>"
        );
        WORLD.replacen("</vehicle>", &eye, 1).replacen("</mvsim_world>", &fixed, 1)
    }

    /// Compares all images of a camera. Returns the numbers of pixels and of those that differ by more than rounding.
    fn compare_images(one: &Path, other: &Path) -> (usize, usize) {
        let (mut count, mut differ) = (0, 0);
        for kind in ["rgb", "depth", "class", "instance", "flow"] {
            let mut names = 0;
            for entry in std::fs::read_dir(one.join(kind)).unwrap() {
                let name = entry.unwrap().file_name();
                let [a, b] = [one, other].map(|folder| Image::read(&folder.join(kind).join(&name)));
                assert_eq!((a.size, a.kind), (b.size, b.kind));
                let values = |image: &Image| -> Vec<u16> {
                    match image.kind.1 {
                        png::BitDepth::Eight => {
                            image.bytes.iter().map(|byte| u16::from(*byte)).collect()
                        }
                        _ => image
                            .bytes
                            .chunks_exact(2)
                            .map(|two| u16::from_be_bytes([two[0], two[1]]))
                            .collect(),
                    }
                };
                // numbers of classes and instances are equal; depths are in mm, flows in 1/64 px
                let most = if ["class", "instance"].contains(&kind) { 0 } else { 2 };
                let (a, b) = (values(&a), values(&b));
                count += a.len();
                differ += a.iter().zip(&b).filter(|(a, b)| a.abs_diff(**b) > most).count();
                names += 1;
            }
            assert!(names > 2, "{names} images");
        }
        (count, differ)
    }

    #[test]
    fn cameras_see_the_same_on_an_adapter() {
        let folder = tempfile::tempdir().unwrap();
        let (off, software) = (folder.path().join("off"), folder.path().join("software"));
        let world = folder.path().join("a.world.xml");
        std::fs::write(&world, cameras()).unwrap();
        let (code, message) = run(&world, &software, "software");
        if !has_driver(&message, code) {
            return;
        }
        assert_eq!((code, run(&world, &off, "off").0), (0, 0), "{message}");
        for camera in ["other.eye", "world.fixed"] {
            let (count, differ) = compare_images(&off.join(camera), &software.join(camera));
            // pixels on edges can see either side
            assert!(differ <= count / 500, "{camera}: {differ} of {count} values differ");
        }
        let engine = |name: &str| {
            let found = gpu_of(&software).sensors.into_iter().find(|one| one.sensor == name);
            found.map(|one| one.engine).unwrap_or_default()
        };
        assert_eq!(["other/eye", "world/fixed"].map(engine), ["gpu", "gpu"]);
    }

    #[test]
    fn the_manifest_names_the_engine_of_each_sensor() {
        let folder = tempfile::tempdir().unwrap();
        let (off, software) = (folder.path().join("off"), folder.path().join("software"));
        let world = folder.path().join("a.world.xml");
        std::fs::write(&world, WORLD).unwrap();
        let (code, message) = run(&world, &software, "software");
        if !has_driver(&message, code) {
            return;
        }
        assert_eq!((code, run(&world, &off, "off").0), (0, 0), "{message}");
        let (count, differ) = compare(&off.join("world.post"), &software.join("world.post"));
        assert!(count > 10_000, "{count} points");
        assert!(differ <= count / 1000, "{differ} of {count} points differ");
        let sensors = gpu_of(&software).sensors.into_iter();
        let sensors = sensors.map(|SensorEntry { sensor, engine, reason }| {
            (sensor, engine, reason.unwrap_or_default())
        });
        let expected = [
            ("other/plane", "cpu", "its rays lie in a plane"),
            ("other/noisy", "cpu", "its directions change from sample to sample"),
            ("world/post", "gpu", ""),
        ];
        let expected = expected.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned()));
        assert_eq!(sensors.collect::<Vec<_>>(), expected);
    }

    /// On a machine with a GPU, the modes use it.
    #[test]
    fn without_a_gpu_auto_runs_on_the_cpu_and_require_ends() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let world = Path::new("worlds/lidar.world.xml");
        let (code, message) = run(world, &out, "auto");
        assert_eq!(code, 0, "{message}");
        let Some(fallback) = gpu_of(&out).fallback else {
            eprintln!("skipped: this machine has a GPU");
            return;
        };
        assert!(message.contains("the CPU casts the rays of all sensors"), "{message}");
        assert!(fallback.reason.contains("no hardware adapter"), "{fallback:?}");
        let (code, message) = run(world, &folder.path().join("required"), "require");
        assert_eq!(code, NO_GPU, "{message}");
        assert!(message.contains("no hardware adapter") && message.contains("help:"), "{message}");
    }

    /// With `--gpu`, members have the readings of sessions on the same adapter: in shared tables,
    /// and detached next to a movable block.
    #[test]
    fn members_of_ensembles_scan_as_sessions_do() {
        let walls = "<walls><shape><pt>4 -3</pt><pt>4 3</pt></shape></walls>";
        let block = r#"<block name="box"><init_pose>-3 2 0</init_pose></block>"#;
        for (more, apart) in [(walls, 0), (block, 3)] {
            let world = format!(
                r#"<mvsim_world><simul_timestep>0.01</simul_timestep>{more}
                <vehicle name="robot"><init_pose>0 0 40</init_pose><init_vel>0.5 0 40</init_vel>
                <dynamics class="differential"><controller class="twist_ideal"/></dynamics>
                <sensor class="lidar3d" name="lidar"><sensor_period>0.1</sensor_period><horz_nrays>90</horz_nrays>
                </sensor></vehicle></mvsim_world>"#
            );
            let options = Options { gpu: Gpu::new(GpuMode::Software), ..Options::default() };
            let mut of_members = EnsembleOptions::members(3).seed(7);
            of_members.session = options.clone();
            let variation: Variation = "robot/pose/x=range:-1:1:3".parse().unwrap();
            let of_members = of_members.vary(variation.clone());
            let mut ensemble = Ensemble::from_text(&world, "gpu.world.xml", of_members).unwrap();
            ensemble.step(25).unwrap();
            assert_eq!(ensemble.apart(), apart);
            for member in 0..3 {
                let seed = Some(7 + member as u64);
                let options = Options { seed, ..options.clone() };
                let mut session = Session::from_text(&world, "gpu.world.xml", options).unwrap();
                let all = Differences::new(vec![variation.clone()], &session, 3, 7).unwrap();
                let own = all.of_member(member, 0);
                own.iter().for_each(|difference| difference.apply(&mut session).unwrap());
                session.run_steps(25).unwrap();
                let report = session.simulation().samples().scan_report().unwrap();
                assert_eq!(report.sensors[0].on_cpu, None);
                let hash = ensemble.member(member).unwrap().result_hash().unwrap();
                assert_eq!(hash, session.simulation().result_hash(), "member {member}, {more}");
            }
        }
    }
}
