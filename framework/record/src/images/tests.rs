use super::*;
use simhost_streams::image::{Distortion, ImageKind};

fn form(name: &str, kind: ImageKind) -> ImageForm {
    ImageForm {
        name: name.to_owned(),
        kind,
        width: 3,
        height: 2,
        first_ray: 1,
        focal: [2.0, 2.5],
        centre: [1.0, 0.5],
        distortion: Distortion::Fisheye([0.1, 0.0, 0.0, -0.01]),
        pose: [1.0, 0.0, 0.5, -1.5, 0.0, -1.5],
    }
}

/// Outputs with a ray before the six of the images, and a sample in which the values of an output ascend.
fn sample() -> (Vec<(&'static str, usize)>, Vec<f64>) {
    let outputs: Vec<_> = ["count"]
        .into_iter()
        .map(|name| (name, 1))
        .chain(
            ["red", "green", "blue", "depth", "entity", "flow_x", "flow_y"].map(|name| (name, 7)),
        )
        .collect();
    let mut sample = vec![99.0];
    for first in [0.0, 50.0, 100.0] {
        sample.extend((0..7).map(|ray| first + f64::from(ray)));
    }
    sample.extend([9.0, 0.0, 0.0014, 1.0005, 65.5, 70.0, f64::NAN]);
    sample.extend([9.0, -1.0, 0.0, 1.0, 300.0, 65_534.0, 70_000.0]);
    sample.extend([0.0, 0.0, 1.0, -1.0, 600.0, -600.0, f64::NAN]);
    sample.extend([0.0, 0.0, 0.5, -0.25, 0.0, 0.0, 1.0]);
    (outputs, sample)
}

fn read(path: &Path) -> (png::ColorType, png::BitDepth, Vec<u8>) {
    let decoder = png::Decoder::new(std::io::BufReader::new(File::open(path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (3, 2));
    (info.color_type, info.bit_depth, pixels)
}

fn numbers(path: &Path) -> Vec<u16> {
    let (.., pixels) = read(path);
    pixels.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect()
}

#[test]
fn images_are_png_files_with_their_calibration_and_poses() {
    let folder = tempfile::tempdir().unwrap();
    let (outputs, sample) = sample();
    let kinds = [
        ("rgb", ImageKind::Rgb),
        ("depth", ImageKind::Depth),
        ("instance", ImageKind::Instance),
        ("flow", ImageKind::Flow),
    ];
    let forms: Vec<_> = kinds.iter().map(|(name, kind)| form(name, *kind)).collect();
    let forms = ImageForms::new(&forms, outputs.iter().copied()).unwrap();
    let camera = folder.path().join("car.front");
    std::fs::create_dir_all(camera.join("rgb")).unwrap();
    let old = camera.join("rgb/0000000000000000007.png");
    let kept = camera.join("rgb/mine.png");
    std::fs::write(&old, "old").unwrap();
    std::fs::write(&kept, "mine").unwrap();
    let sensors = [("car", "imu", None), ("car", "front", Some(forms.clone()))];
    let mut folders =
        ImageFolders::create(folder.path(), sensors.into_iter(), Earlier::Remove).unwrap();
    assert!(!old.exists() && kept.exists());
    assert!(!folders.has(0) && folders.has(1) && !folders.has(2));
    let shot = Shot { time: 0.1, stamp: 100_000_000, sample: &sample };
    let pose = |_: &ImageForm| [1.0, -0.0, 0.5, 1.0, 0.0, 0.0, 0.0];
    let files = folders.write(1, &shot, pose).unwrap();
    assert_eq!(files.len(), 4);
    assert!(files[0].ends_with("car.front/rgb/0000000000100000000.png"));
    let (colour, depth, pixels) = read(&files[0]);
    assert_eq!((colour, depth), (png::ColorType::Rgb, png::BitDepth::Eight));
    assert_eq!(pixels[..6], [1, 51, 101, 2, 52, 102]);
    assert_eq!(numbers(&files[1]), [0, 1, 1001, 65_500, 65_535, 0]);
    assert_eq!(numbers(&files[2]), [65_535, 0, 1, 300, 65_534, 65_535]);
    let flow = numbers(&files[3]);
    assert_eq!(flow[..9], [32_768, 32_768, 1, 32_832, 32_800, 1, 32_704, 32_752, 1]);
    assert_eq!(flow[9..], [65_535, 32_768, 1, 0, 32_768, 1, 0, 0, 0]);
    let frames = std::fs::read_to_string(camera.join(FRAMES)).unwrap();
    let rows: Vec<&str> = frames.lines().collect();
    assert_eq!(rows.len(), 5);
    assert_eq!(rows[0], COLUMNS.trim());
    assert_eq!(rows[2], "0.1,depth,depth/0000000000100000000.png,1,0,0.5,1,0,0,0");
    let sensors = [("car", "front", Some(forms.clone()))];
    ImageFolders::create(folder.path(), sensors.into_iter(), Earlier::Keep).unwrap();
    assert!(files[0].exists());
    assert_eq!(std::fs::read_to_string(camera.join(FRAMES)).unwrap(), frames);
    let text = std::fs::read_to_string(camera.join(CALIBRATION)).unwrap();
    let info: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(info["rgb"]["k"], serde_json::json!([2.0, 0.0, 1.0, 0.0, 2.5, 0.5, 0.0, 0.0, 1.0]));
    assert_eq!(info["flow"]["distortion_model"], "equidistant");
    assert_eq!(info["flow"]["pose"]["parent"], "car/base_link");
}

#[test]
fn equal_samples_become_equal_files() {
    let (outputs, sample) = sample();
    let forms = ImageForms::new(&[form("rgb", ImageKind::Rgb)], outputs.iter().copied()).unwrap();
    let bytes = || {
        let (form, channels) = forms.of(&sample).next().unwrap();
        png_file::bytes(form, &channels).unwrap()
    };
    assert_eq!(bytes(), bytes());
}

#[test]
fn images_without_their_outputs_are_left_out() {
    let (outputs, _) = sample();
    let long = ImageForm { height: 3, ..form("rgb", ImageKind::Rgb) };
    let empty = ImageForm { width: 0, ..form("rgb", ImageKind::Rgb) };
    let missing = form("class", ImageKind::Class);
    for forms in [&[long][..], &[empty], &[missing], &[]] {
        assert!(ImageForms::new(forms, outputs.iter().copied()).is_none());
    }
}
