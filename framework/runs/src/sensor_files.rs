//! Files of sensors in an output folder: images of cameras, and clouds of points.

use std::path::{Path, PathBuf};

use crate::error::RunError;

/// Files of a sensor, one per sample.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorFiles {
    /// Folder within the folder of the run: `car.eye/rgb` for images, and `car.lidar` for clouds.
    pub name: String,
    /// Times, s, and paths of the files, in order of time.
    pub files: Vec<(f64, PathBuf)>,
}

/// Returns the files with an extension that the sensors of a run have written: `png` or `pcd`.
///
/// # Errors
/// [`RunError::Read`] if the folder cannot be read.
pub fn sensor_files(folder: &Path, extension: &str) -> Result<Vec<SensorFiles>, RunError> {
    let mut found = Vec::new();
    for outer in folders(folder)? {
        found.extend(files(folder, &outer, extension)?);
        for inner in folders(&outer)? {
            found.extend(files(folder, &inner, extension)?);
        }
    }
    Ok(found)
}

fn folders(folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    let mut folders: Vec<PathBuf> = entries(folder)?;
    folders.retain(|path| path.is_dir());
    Ok(folders)
}

/// Returns the entries of a folder in the order of their names.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    let failed = |source| RunError::Read { path: folder.to_owned(), source };
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(failed)?;
    paths.sort();
    Ok(paths)
}

/// Returns the files of one sensor, whose names are times in ns with 19 digits.
fn files(run: &Path, folder: &Path, extension: &str) -> Result<Option<SensorFiles>, RunError> {
    let time = |path: &Path| -> Option<f64> {
        let stem = path.file_stem()?.to_str()?;
        let is_own = path.extension()? == extension && stem.len() == 19;
        Some(is_own.then(|| stem.parse::<u64>().ok())?? as f64 * 1e-9)
    };
    let files = entries(folder)?.into_iter().filter_map(|path| Some((time(&path)?, path)));
    let files: Vec<(f64, PathBuf)> = files.collect();
    let name = folder.strip_prefix(run).unwrap_or(folder).to_string_lossy().into_owned();
    Ok((!files.is_empty()).then_some(SensorFiles { name, files }))
}

/// Reads the points of a cloud: x, y, z, m, sensor frame, and the intensity, 0 if it has none.
///
/// # Errors
/// [`RunError`] if the file cannot be read, or is not a cloud that a run has written.
pub fn points(path: &Path) -> Result<Vec<[f32; 4]>, RunError> {
    read_points(&bytes_of(path)?).ok_or_else(|| not_a_cloud(path))
}

/// Reads the pose in the world of the sensor of a cloud: x, y, z, m, and the quaternion w, x, y, z.
///
/// # Errors
/// As [`points`].
pub fn viewpoint(path: &Path) -> Result<[f64; 7], RunError> {
    let bytes = bytes_of(path)?;
    let header = header(&bytes).map(|(header, _)| header).unwrap_or_default();
    let line = header.lines().find_map(|line| line.strip_prefix("VIEWPOINT "));
    let numbers = line.unwrap_or_default().split(' ').map(str::parse::<f64>);
    let numbers: Vec<f64> = numbers.collect::<Result<_, _>>().unwrap_or_default();
    numbers.try_into().map_err(|_| not_a_cloud(path))
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, RunError> {
    simhost_files::read(path, simhost_files::MAX_DATA_BYTES)
        .map_err(|source| RunError::Read { path: path.to_owned(), source })
}

fn not_a_cloud(path: &Path) -> RunError {
    RunError::NotARun {
        path: path.to_owned(),
        found: "it is not a whole binary PCD file whose fields begin with x, y and z".to_owned(),
        expected: "a cloud that `simhost run` has written",
    }
}

/// Returns the header of a file, and the place of its data.
fn header(bytes: &[u8]) -> Option<(&str, usize)> {
    const DATA: &[u8] = b"DATA binary\n";
    let end = bytes.windows(DATA.len()).position(|window| window == DATA)? + DATA.len();
    Some((std::str::from_utf8(&bytes[..end]).ok()?, end))
}

fn read_points(bytes: &[u8]) -> Option<Vec<[f32; 4]>> {
    let (header, end) = header(bytes)?;
    let value = |key: &str| header.lines().find_map(|line| line.strip_prefix(key));
    let is_known = value("FIELDS x y z").is_some()
        && value("SIZE 4 4 4").is_some()
        && value("TYPE F F F").is_some();
    let sizes = value("SIZE ")?.split(' ').map(str::parse::<usize>);
    let size = sizes.sum::<Result<usize, _>>().ok().filter(|_| is_known)?;
    let count: usize = value("POINTS ")?.parse().ok()?;
    let data = bytes.get(end..end.checked_add(size.checked_mul(count)?)?)?;
    let number = |row: &[u8], at: usize| {
        f32::from_le_bytes([row[at], row[at + 1], row[at + 2], row[at + 3]])
    };
    // fields before the intensity have the sizes of the header
    let fields = value("FIELDS ")?.split(' ').zip(value("SIZE ")?.split(' '));
    let mut place = 0;
    let mut intensity = None;
    for (field, size) in fields {
        if field == "intensity" {
            intensity = Some(place);
        }
        place += size.parse::<usize>().ok()?;
    }
    let point = |row: &[u8]| {
        let [x, y, z] = [0, 4, 8].map(|at| number(row, at));
        [x, y, z, intensity.map_or(0.0, |at| number(row, at))]
    };
    Some(data.chunks_exact(size).map(point).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_sensors_are_found_with_their_times() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "car.eye/rgb/0000000000200000000.png",
            "car.lidar/0000000001000000000.pcd",
            "car.eye/rgb/notes.png",
        ] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let images = sensor_files(folder.path(), "png").unwrap();
        assert_eq!((images.len(), images[0].name.as_str()), (1, "car.eye/rgb"));
        assert_eq!(images[0].files.len(), 1);
        assert!((images[0].files[0].0 - 0.2).abs() < 1e-12);
        assert_eq!(sensor_files(folder.path(), "pcd").unwrap()[0].name, "car.lidar");
    }

    #[test]
    fn points_of_a_cloud_are_read() {
        let mut file =
            b"FIELDS x y z ring intensity\nSIZE 4 4 4 2 4\nTYPE F F F U F\nPOINTS 2\nDATA binary\n"
                .to_vec();
        for [x, y, z] in [[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]] {
            file.extend([x, y, z].iter().flat_map(|value| value.to_le_bytes()));
            file.extend(7u16.to_le_bytes());
            file.extend(0.5f32.to_le_bytes());
        }
        assert_eq!(read_points(&file), Some(vec![[1.0, 2.0, 3.0, 0.5], [4.0, 5.0, 6.0, 0.5]]));
        file.pop();
        assert_eq!(read_points(&file), None, "a file that was cut");
        assert_eq!(read_points(b"FIELDS x y\nDATA binary\n"), None);
    }
}
