//! What leaves a run: csv files.
