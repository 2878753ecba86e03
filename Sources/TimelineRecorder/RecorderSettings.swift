public import TimelineStore

/// The sizes and times of a recorder: its memory, its disk space, and the age at which it commits. The
/// defaults suit an app that always records.
public struct RecorderSettings: Hashable, Sendable {
  /// Size of each thread's ring, in bytes. Made a power of two, and a page at least. 4 MiB hold two
  /// seconds of 200 elements that all move in each of 120 frames a second (80 bytes a change), eight
  /// commits' worth. Each ring takes as much of the disk while the session lasts.
  package var ringBytes = 4 << 20

  /// The end of each ring that is kept for events, decisions, estimates and the names of keys and
  /// elements, in bytes, so that a flood of values cannot push out their names. 64 KiB hold some
  /// 500 events.
  package var reservedBytes = 64 << 10

  /// How many rings there may be, 1 to 1,024: one that is shared, and one for each of the first threads
  /// that record. The threads beyond take turns at the shared one. 16 is more than an app has threads
  /// that produce values at the rate of the display.
  package var ringCount = 16

  /// The age at which rows are committed, in nanoseconds: of the session's time under
  /// ``RecordingPolicy/wait``, and of the clock under ``RecordingPolicy/live``. The default is 250 ms,
  /// because a longer time gained nothing for plain rows in a measurement. If everything is packed, it is
  /// twice as long, and every commit waits for the disk. A block of half a second takes fewer pages than two
  /// blocks of a quarter.
  public var commitNanoseconds: Int64 = 250_000_000

  /// Every so many commits one waits for the disk: with a commit each 250 ms, a power cut then takes
  /// 750 ms at most. That was simulated.
  package var commitsPerDurable = 3

  /// The largest size and age of the recording. Beyond them its oldest sessions are removed, and then the
  /// oldest seconds of this session. The recorder makes room before each commit.
  public var limit = RecordingLimit()

  /// Length of the write-ahead log, in bytes, after which its pages are moved into the database. 4,120,000, SQLite's
  /// own choice: 1,000 pages of 4,096 bytes with a header each, which a reader has to look through at most.
  package var checkpointBytes = 4_120_000

  /// Length of the write-ahead log, in bytes, from which on a reader that keeps it from being emptied is
  /// waited for, ``busyMilliseconds`` at most, and the app gets a warning. 16,384,000: four times what is usually
  /// in it, so that a query of a second or two passes unnoticed.
  package var longLogBytes = 16_384_000

  /// So many turns of the writer in which there is nothing to write, and it moves the content of the log into
  /// the database, which waits for the disk too. 3, after 750 ms: nothing that is committed is older
  /// than that without being safe from a power cut.
  package var idleTurns = 3

  /// The time that a commit waits while another program holds the file, in milliseconds. After that the rows
  /// stay in the ring, and the next commit tries again. The default of 250 is the age of one commit, and a
  /// ring has room for eight.
  public var busyMilliseconds: Int32 = 250

  /// The precision of the session's poses. `exact` loses nothing. The others round the poses as they are
  /// written, to save space.
  package var precision = SealPrecision.exact

  /// Whether poses and samples are sealed from the first second on, as a ``limit`` has them.
  package var sealsFromStart = false

  /// Rows of poses outside of key frames that the session keeps plain, as any SQLite tool reads them:
  /// 1,000,000, some 60 MB, 42 seconds of 200 elements that all move at 120 Hz. The second in which the next
  /// one comes and those after it are sealed into blocks, a quarter of the size. 0: from the first
  /// second on.
  package var plainPoseRows = 1_000_000

  /// From how long a stretch samples are put together into one segment, in nanoseconds of the session, where they
  /// are sealed.
  package var sampleStretchNanoseconds = SampleSealer.segmentNanoseconds

  /// Age at which this recorder commits, in nanoseconds.
  package var commitAge: Int64 {
    isSealing ? max(commitNanoseconds, commitNanoseconds &* 2) : commitNanoseconds
  }

  /// Every so many commits of this recorder one waits for the disk.
  package var durableEvery: Int { max(1, isSealing ? commitsPerDurable / 2 : commitsPerDurable) }

  /// Whether everything is sealed as it comes.
  var isSealing: Bool { sealsFromStart || limit != RecordingLimit() }

  /// The usual sizes.
  public init() {}
}

/// The policy of a recorder for a disk that is slower than its caller.
public enum RecordingPolicy: Hashable, Sendable {
  /// The caller waits and nothing is lost. It is for scenarios and imports. Transactions end at the session's
  /// time, never at the clock's, so the same input makes the same file.
  case wait
  /// The caller never waits for the disk. It is for apps. A record that does not fit into the rings is
  /// dropped, counted, and recorded as a loss.
  case live
}
