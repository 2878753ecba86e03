import KymographCLibrary

/// Pictures on their way from the thread that reads them to whoever follows an element in them.
///
/// It has room for few, so that a decoder that is faster than its reader waits.
final class PictureQueue: @unchecked Sendable {
  private var lock = pthread_mutex_t()
  private var changed = pthread_cond_t()
  // Belongs to whoever holds the lock.
  private var pictures: [VideoPicture] = []
  private var byteCount = 0
  private var known = VideoSummary()
  private var end: DecoderEnd?
  private var isStopped = false

  /// So many pictures are decoded ahead, and so many bytes of them but for one picture.
  private static let (mostPictures, mostBytes) = (6, 16 << 20)

  init() {
    pthread_mutex_init(&lock, nil)
    pthread_cond_init(&changed, nil)
  }

  deinit {
    pthread_mutex_destroy(&lock)
    pthread_cond_destroy(&changed)
  }

  // MARK: The reading thread

  /// Whether nobody wants more pictures.
  var hasStopped: Bool { hold { isStopped } }

  /// Waits a moment until a picture may be added.
  func waitForRoom(for bytes: Int) -> Bool {
    hold {
      func hasRoom() -> Bool {
        pictures.isEmpty
          || pictures.count < Self.mostPictures && byteCount + bytes <= Self.mostBytes
      }
      if !hasRoom(), !isStopped { waitForChange() }
      return hasRoom()
    }
  }

  /// Adds a picture, with what is known of the clip by then.
  func add(_ picture: VideoPicture, _ summary: VideoSummary) {
    hold {
      pictures.append(picture)
      known = summary
      byteCount += picture.bytes.count
      pthread_cond_broadcast(&changed)
    }
  }

  func finish(_ end: DecoderEnd) {
    hold {
      self.end = end
      pthread_cond_broadcast(&changed)
    }
  }

  // MARK: The owner

  /// What comes next.
  enum Next {
    case picture(VideoPicture)
    case end(DecoderEnd)
    /// Nothing came for a moment.
    case nothing
  }

  func next() -> Next {
    hold {
      if pictures.isEmpty, end == nil { waitForChange() }
      if !pictures.isEmpty {
        let picture = pictures.removeFirst()
        byteCount -= picture.bytes.count
        pthread_cond_broadcast(&changed)
        return .picture(picture)
      }
      return end.map { .end($0) } ?? .nothing
    }
  }

  /// What is known of the clip so far.
  var summary: VideoSummary { hold { end?.summary ?? known } }

  func stop() {
    hold {
      isStopped = true
      pictures = []
      byteCount = 0
      pthread_cond_broadcast(&changed)
    }
  }

  /// Waits for the other side, at most a tenth of a second.
  private func waitForChange() {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    time.tv_nsec += 100_000_000
    if time.tv_nsec >= 1_000_000_000 {
      time.tv_sec += 1
      time.tv_nsec -= 1_000_000_000
    }
    pthread_cond_timedwait(&changed, &lock, &time)
  }

  private func hold<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(&lock)
    defer { pthread_mutex_unlock(&lock) }
    return body()
  }
}
