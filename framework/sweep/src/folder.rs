//! The folder of a study: its record, and the rows of its runs.
//!
//! | File | Content |
//! |---|---|
//! | `study.json` | the plan with everything that affects results, and where its files are |
//! | `rows-*.jsonl` | one line per finished run, in the order of completion; lines are only added |
//! | `runs.csv` | the rows in the order of the plan |
//! | `carried` | what chunks need, if they are simulated elsewhere |
//! | `runs.parquet` | the same with the feature `parquet`: a file, or a folder of files of 100,000 runs |
//!
//! A process that is killed loses the rows that it has not written, and leaves at most one line without its end, which
//! counts for nothing.

mod carried;
mod index;
mod record;
mod table;

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::StudyError;
use crate::plan::StudyPlan;
use crate::row::{RunRow, RunStatus};
use crate::study::Study;
use index::Index;
use record::Record;
use table::StudyTables;

/// Name of the record.
const RECORD: &str = "study.json";
/// Wall time after which rows are written to the disk.
const SYNC: Duration = Duration::from_secs(1);

/// Treatment of a study that a folder has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Refuse it: the folder must be empty or missing.
    Refuse,
    /// Continue the same study.
    Resume,
    /// Continue it with a plan that has more runs.
    Extend,
    /// Remove it, and begin this one.
    Replace,
}

/// Number and status of a run that has a row.
#[derive(Clone, Debug, PartialEq)]
pub struct EndedRun {
    /// Number of the run.
    pub run: u64,
    /// How it has ended.
    pub status: RunStatus,
}

/// The folder of a study.
pub struct StudyFolder {
    path: PathBuf,
    index: Index,
    /// File to which this process adds rows; made with the first one.
    rows: Option<File>,
    synced: Instant,
    /// Whether rows go nowhere.
    is_forgetful: bool,
    /// Held as long as this process works on the study.
    _lock: Option<File>,
}

impl StudyFolder {
    /// Opens a folder to add rows of a plan. No other process can do so meanwhile.
    ///
    /// # Errors
    /// [`StudyError::Exists`], [`StudyError::Foreign`], [`StudyError::Busy`] or [`StudyError::Changed`] if the folder has
    /// something else, and [`StudyError`] if a file cannot be read or written.
    pub fn open(path: &Path, plan: &StudyPlan, existing: Existing) -> Result<Self, StudyError> {
        std::fs::create_dir_all(path).map_err(StudyError::write(path))?;
        let is_study = path.join(RECORD).exists();
        if !is_study && !is_empty(path)? {
            return Err(StudyError::Foreign { folder: path.to_owned() });
        }
        let lock = locked(path)?;
        let record = Record::of(plan);
        let mut folder = Self::at(path)?;
        folder._lock = Some(lock);
        if is_study {
            let earlier = Record::read(&path.join(RECORD))?;
            match existing {
                Existing::Refuse => {
                    let (folder, finished) = (path.to_owned(), folder.index.len());
                    return Err(StudyError::Exists { folder, finished, runs: earlier.runs });
                }
                Existing::Resume => earlier.check(&record, path, false)?,
                Existing::Extend => {
                    earlier.check(&record, path, true)?;
                    folder.check_ids(plan)?;
                    carried::remove(path)?;
                }
                Existing::Replace => folder.clear()?,
            }
        }
        record.write(&path.join(RECORD))?;
        Ok(folder)
    }

    /// Opens a folder for a process that simulates runs for another one, or to read it.
    ///
    /// # Errors
    /// [`StudyError`] if the rows cannot be read.
    pub fn at(path: &Path) -> Result<Self, StudyError> {
        let index = Index::read(path)?;
        let synced = Instant::now();
        Ok(Self {
            path: path.to_owned(),
            index,
            rows: None,
            synced,
            is_forgetful: false,
            _lock: None,
        })
    }

    /// Re-reads rows that other processes have added.
    ///
    /// # Errors
    /// [`StudyError`] if they cannot be read.
    pub fn read_again(&mut self) -> Result<(), StudyError> {
        self.index = Index::read(&self.path)?;
        self.rows = None;
        Ok(())
    }

    /// Takes the lease of a chunk, which ends with this process. No other process simulates the chunk meanwhile.
    ///
    /// # Errors
    /// [`StudyError::Busy`] if another process has it.
    pub fn lease(&mut self, chunk: u64) -> Result<(), StudyError> {
        self._lock = Some(lease(&self.path, chunk)?);
        // the process that had it before may have added rows
        self.read_again()
    }

    /// Reads the study that a folder has. Its files are those that the folder carries, if it does.
    ///
    /// # Errors
    /// [`StudyError`] if there is none.
    pub fn study(path: &Path) -> Result<Study, StudyError> {
        let mut study = Record::read(&path.join(RECORD))?.study()?;
        carried::use_in(path, &mut study)?;
        Ok(study)
    }

    /// Copies the files of the world, the commands and the plugins that a plan needs into the folder, so that
    /// [`Self::study`] finds them wherever the folder is.
    ///
    /// # Errors
    /// [`StudyError`] if a file cannot be read or written.
    pub fn carry(&self, plan: &StudyPlan) -> Result<(), StudyError> {
        carried::write(&self.path, plan)
    }

    /// Checks that this version of simhost has written the study in a folder.
    ///
    /// # Errors
    /// [`StudyError::Version`] with both versions.
    pub fn check_version(path: &Path) -> Result<(), StudyError> {
        record::check_version(&path.join(RECORD))
    }

    /// Checks that a plan is the plan of the folder.
    ///
    /// # Errors
    /// [`StudyError::Changed`] with what differs.
    pub fn check(&self, plan: &StudyPlan) -> Result<(), StudyError> {
        Record::read(&self.path.join(RECORD))?.check(&Record::of(plan), &self.path, false)
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the runs that have rows, in the order of their numbers.
    pub fn ended(&self) -> Vec<EndedRun> {
        self.index
            .entries()
            .iter()
            .map(|entry| EndedRun { run: entry.run, status: entry.status })
            .collect()
    }

    /// Lets rows that are added go nowhere, for a process that prints them.
    pub fn forget_rows(&mut self) {
        self.is_forgetful = true;
    }

    /// Returns whether a run has a row.
    pub fn has(&self, run: u64) -> bool {
        self.index.has(run)
    }

    /// Returns the numbers of the runs of a plan that have no row.
    pub fn missing(&self, plan: &StudyPlan) -> Vec<u64> {
        (0..plan.runs()).filter(|run| !self.index.has(*run)).collect()
    }

    /// Returns the row of a run, if it has one.
    ///
    /// # Errors
    /// [`StudyError::Read`] if its file cannot be read.
    pub fn row(&self, run: u64) -> Result<Option<RunRow>, StudyError> {
        self.index.row(run)
    }

    /// Calls `each` with all rows in the order of the plan, one at a time.
    ///
    /// # Errors
    /// [`StudyError::Read`] if a file cannot be read.
    pub fn for_each_row(&self, each: &mut dyn FnMut(RunRow)) -> Result<(), StudyError> {
        self.index.for_each(each)
    }

    /// Adds rows.
    ///
    /// # Errors
    /// [`StudyError::Write`] if they cannot be written.
    pub fn add(&mut self, rows: &[RunRow]) -> Result<(), StudyError> {
        if rows.is_empty() || self.is_forgetful {
            return Ok(());
        }
        if self.rows.is_none() {
            let (number, file) = new_rows(&self.path)?;
            self.rows = Some(file);
            self.index.add_file(number);
        }
        let mut text = String::new();
        let mut starts = Vec::with_capacity(rows.len());
        for row in rows {
            let attempt = self.index.attempts(row.run);
            starts.push(text.len());
            text += &RunRow { attempt, ..row.clone() }.to_line();
            text.push('\n');
        }
        let path = self.index.last_file().to_owned();
        let Some(file) = &mut self.rows else { return Ok(()) };
        file.write_all(text.as_bytes()).map_err(StudyError::write(&path))?;
        if self.synced.elapsed() > SYNC {
            file.sync_data().map_err(StudyError::write(&path))?;
            self.synced = Instant::now();
        }
        self.index.add(rows, &starts, text.len());
        Ok(())
    }

    /// Brings the rows that were added into the order of the plan.
    pub(crate) fn settle(&mut self) {
        self.index.sort();
    }

    /// Writes `runs.csv`, and `runs.parquet` with the feature `parquet`. Returns the path of the first. They have the rows
    /// in the order of the plan, and do not depend on how these were simulated.
    ///
    /// # Errors
    /// [`StudyError`] if a row cannot be read or a file cannot be written.
    pub fn write_table(&self, plan: &StudyPlan) -> Result<PathBuf, StudyError> {
        self.write_table_with(plan, &mut |_| {})
    }

    /// Writes the tables, as [`Self::write_table`] does, and calls `each` with the rows, so that they are read once.
    ///
    /// # Errors
    /// As [`Self::write_table`].
    pub fn write_table_with(
        &self,
        plan: &StudyPlan,
        each: &mut dyn FnMut(RunRow),
    ) -> Result<PathBuf, StudyError> {
        let mut tables = StudyTables::create(&self.path, plan)?;
        let mut outcome = Ok(());
        self.index.for_each(&mut |row| {
            if outcome.is_ok() {
                outcome = tables.add(&row);
            }
            each(row);
        })?;
        outcome?;
        tables.finish()
    }

    /// Removes all rows and the table.
    fn clear(&mut self) -> Result<(), StudyError> {
        let mut old = index::row_files(&self.path)?;
        old.extend(
            [table::CSV, RECORD]
                .map(|name| self.path.join(name))
                .into_iter()
                .filter(|path| path.exists()),
        );
        carried::remove(&self.path)?;
        #[cfg(feature = "parquet")]
        table::remove_parquet(&self.path)?;
        for path in old {
            std::fs::remove_file(&path).map_err(StudyError::write(&path))?;
        }
        self.index = Index::read(&self.path)?;
        Ok(())
    }

    /// Checks that the runs that have rows are the same in a plan.
    fn check_ids(&self, plan: &StudyPlan) -> Result<(), StudyError> {
        let mut changed = None;
        self.for_each_row(&mut |row| {
            if changed.is_none() && (row.run >= plan.runs() || plan.id(row.run) != row.id) {
                changed = Some(row.run);
            }
        })?;
        match changed {
            None => Ok(()),
            Some(run) => Err(StudyError::Changed {
                folder: self.path.clone(),
                changes: vec![format!("run {run} has other values")],
                help: "help: add values to the end of the first list, or samples; or replace the study with --new",
            }),
        }
    }
}

/// Name of the file that is locked while a process works on the study.
const LOCK: &str = "study.lock";
/// Creates a file for rows that no process has.
fn new_rows(folder: &Path) -> Result<(PathBuf, File), StudyError> {
    let process = std::process::id();
    let mut number = 0;
    loop {
        let path = folder.join(format!("rows-{process}-{number}.jsonl"));
        match OpenOptions::new().append(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(source) => return Err(StudyError::Write { path, source }),
        }
    }
}

/// Returns whether a folder has no files.
fn is_empty(path: &Path) -> Result<bool, StudyError> {
    let mut entries = std::fs::read_dir(path).map_err(StudyError::read(path))?;
    Ok(entries.all(|entry| entry.is_ok_and(|entry| entry.file_name() == LOCK)))
}

/// Locks a folder for this process, until the file is closed.
fn locked(path: &Path) -> Result<File, StudyError> {
    lock(path, &path.join(LOCK))
}

/// Locks a chunk of a study for this process, until the file is closed or the process ends.
fn lease(path: &Path, chunk: u64) -> Result<File, StudyError> {
    let folder = path.join("chunks");
    simhost_files::create_folder(&folder).map_err(StudyError::write(&folder))?;
    lock(path, &folder.join(format!("{chunk}.lease")))
}

fn lock(path: &Path, file: &Path) -> Result<File, StudyError> {
    let lock = simhost_files::open_in_place(
        file,
        OpenOptions::new().write(true).create(true).truncate(false),
    );
    let lock = lock.map_err(StudyError::write(file))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(std::fs::TryLockError::WouldBlock) => Err(StudyError::Busy { folder: path.to_owned() }),
        Err(std::fs::TryLockError::Error(source)) => {
            Err(StudyError::Write { path: file.to_owned(), source })
        }
    }
}
