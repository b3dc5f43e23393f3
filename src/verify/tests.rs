//! Transcripts as they are written, and as they are not.
