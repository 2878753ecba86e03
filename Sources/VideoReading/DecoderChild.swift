// More than 400 lines: the process, its two pipes and the picture between them are one state, which no other file may touch.

import KymographCLibrary
import ProcessSpawning

/// The decoder's process with its two pipes, which a thread of its own reads: pictures from one, their times from the other.
///
/// A line with the size and the time comes before each picture. More is only read when there is room for it, so a decoder
/// that is ahead waits.
final class DecoderChild: @unchecked Sendable {
  private let request: VideoRequest
  private let process: ChildProcess
  private let queue: PictureQueue
  /// The pipes, -1 when they are over.
  private var pictures: Int32
  private var words: Int32

  private var line: [UInt8] = []
  private var announced: [AnnouncedPicture] = []
  /// How many of the announced pictures have come.
  private var arrived = 0
  private var announcedBytes = 0
  private var end = DecoderEnd()
  private var nextNumber = 0
  private var lastTicks: Int64?
  private var firstTicks: Int64?
  private var size: PictureSize?
  /// The picture that is being read, and how much of it is there.
  private var filling: [UInt8] = []
  private var filled = 0
  /// What came of a JPEG and its head.
  private var parts: [UInt8] = []
  private var lastProgress = ContinuousClock.now

  /// A longer line is cut.
  private static let longestLine = 4096
  /// More pictures, or more bytes of pictures, are never announced before one of them comes: small ones wait in the decoder
  /// until they fill its buffer.
  private static let (mostAnnounced, mostAnnouncedBytes, fewAnnounced) = (50_000, 64 << 20, 64)
  /// A larger JPEG is none.
  private static let mostJPEGBytes = 64 << 20
  private static let descriptorOfFile: Int32 = 3

  init(_ request: VideoRequest, _ dialect: DecoderDialect, into queue: PictureQueue)
    throws(VideoError)
  {
    (self.request, self.queue) = (request, queue)
    let file = openFile(forChild: request.path, O_RDONLY)
    guard file >= 0 else {
      throw VideoError(
        .noPictures, "\(request.name) cannot be read: \(String(cString: strerror(errno)))")
    }
    guard let pictures = PipeEnds() else {
      close(file)
      throw Self.noPipe()
    }
    guard let words = PipeEnds() else {
      for end in [file, pictures.reading, pictures.writing] { close(end) }
      throw Self.noPipe()
    }
    let nothing = openFile(forChild: "/dev/null", O_RDONLY)
    let theirs = [file, pictures.writing, words.writing, nothing]
    var descriptors = [
      (ours: file, theirs: Self.descriptorOfFile), (pictures.writing, STDOUT_FILENO),
      (words.writing, STDERR_FILENO),
    ]
    if nothing >= 0 { descriptors.append((nothing, STDIN_FILENO)) }
    do {
      process = try ChildProcess(
        starting: request.decoder,
        arguments: [request.decoder]
          + dialect.arguments(file: "file:/dev/fd/\(Self.descriptorOfFile)", request.form),
        environment: request.environment.filter { variable in
          !["AV_LOG_FORCE_COLOR=", "FFREPORT="].contains { variable.hasPrefix($0) }
        }, descriptors: descriptors, hasOwnGroup: true)
    } catch {
      for end in theirs + [pictures.reading, words.reading] where end >= 0 { close(end) }
      throw VideoError(
        .noDecoder,
        "\(request.decoder) cannot be started: \(error.reason). Name another with --decoder")
    }
    // Only the decoder keeps them, so that its end is seen.
    for end in theirs where end >= 0 { close(end) }
    (self.pictures, self.words) = (pictures.reading, words.reading)
    #if os(Linux)
      // A larger pipe means fewer turns. Linux calls this F_SETPIPE_SZ.
      _ = fcntl(pictures.reading, 1031, 1 << 20)
    #endif
  }

  private static func noPipe() -> VideoError {
    VideoError(
      .decoder, "no pipe to the decoder can be made: \(String(cString: strerror(errno)))")
  }

  /// Reads until the clip is over, something is wrong, or nobody wants more. Then the decoder has ended.
  func run() {
    lastProgress = .now
    while !queue.hasStopped, end.problem == nil, pictures >= 0 || words >= 0 { step() }
    for pipe in [pictures, words] where pipe >= 0 { close(pipe) }
    (pictures, words) = (-1, -1)
    conclude(status: ended())
    queue.finish(end)
  }

  /// Reads what is there of both pipes, or waits for a moment.
  private func step() {
    let wantsPicture = nextPicture != nil
    if wantsPicture, !queue.waitForRoom(for: max(filling.count, 1)) {
      lastProgress = .now
      return
    }
    // Without a line there is no picture, until the lines are over.
    let readsPictures = pictures >= 0 && (wantsPicture || words < 0)
    var waiting = [
      pollfd(fd: words, events: Int16(POLLIN), revents: 0),
      pollfd(fd: readsPictures ? pictures : -1, events: Int16(POLLIN), revents: 0),
    ]
    // Pictures go first, so that lines do not run ahead of them.
    let ready = poll(&waiting, 2, 100)
    if waiting[1].revents != 0, waitingCount > Self.fewAnnounced { waiting[0].revents = 0 }
    if ready > 0 {
      if waiting[0].revents != 0 { readWords() }
      if waiting[1].revents != 0 { readPictures() }
    }
    if end.problem == nil, ContinuousClock.now - lastProgress > request.patience {
      fail(
        .decoder,
        "\(request.name): the decoder was silent for \(request.patience.components.seconds) s. "
          + "Try another file, or another ffmpeg with --decoder")
    }
  }

  private func fail(_ kind: VideoError.Kind, _ message: String) {
    if end.problem == nil { end.problem = VideoError(kind, message) }
  }

  /// What the decoder prints is not what a decoder prints.
  private func failByNonsense(_ what: String) {
    fail(
      .decoder,
      "\(request.name): \(request.decoder) \(what), so it is not ffmpeg, or a version that kymo does not know. "
        + "Name another with --decoder")
  }

  // MARK: Words

  private func readWords() {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(words, &chunk, chunk.count)
    if count < 0, errno == EINTR { return }
    guard count > 0 else {
      close(words)
      words = -1
      takeLine()
      return
    }
    for byte in chunk[..<count] {
      if byte == 0x0A || byte == 0x0D {
        takeLine()
      } else if line.count < Self.longestLine {
        line.append(byte)
      }
    }
  }

  private func takeLine() {
    defer { line.removeAll(keepingCapacity: true) }
    guard !line.isEmpty, end.problem == nil else { return }
    let line = DecoderLine(line)
    if let picture = line.picture { return announce(picture) }
    if let base = line.timeBase {
      guard end.summary.timeBase == nil || end.summary.timeBase == base else {
        return failByNonsense("changes the unit of its times")
      }
      end.summary.timeBase = base
      return
    }
    end.summary.facts.take(line)
    let small = line.text.lowercased()
    if Self.earlyEnds.contains(where: small.contains) { end.summary.endsEarly = true }
    guard line.isError, !line.text.hasPrefix("To ignore this") else { return }
    let text = cleaned(line.text)
    guard !text.isEmpty else { return }
    end.lastError = text
    end.summary.errorCount += 1
    end.summary.firstError = end.summary.firstError ?? text
  }

  /// What decoders say of a file that ends in the middle.
  private static let earlyEnds = ["partial file", "ended prematurely", "truncat"]

  /// A line for a sentence: without controls, without our name of the file, and at most 200 letters.
  private func cleaned(_ text: String) -> String {
    let ours = "file:/dev/fd/\(Self.descriptorOfFile)"
    var rest = Substring(text)
    if rest.hasPrefix(ours + ": ") { rest = rest.dropFirst(ours.count + 2) }
    let plain = String(
      String.UnicodeScalarView(
        rest.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    return String(plain.prefix(200)).trimmedOfDots
  }

  private func announce(_ picture: AnnouncedPicture) {
    // After a change of size the filter counts from 0 again.
    guard picture.number == nextNumber || picture.number == 0 else {
      return failByNonsense("leaves out pictures")
    }
    guard end.summary.timeBase != nil else {
      return failByNonsense("gives times without their unit")
    }
    guard picture.width > 0, picture.height > 0 else {
      return failByNonsense("gives pictures without a size")
    }
    let most = VideoRequest.mostPixelsWide
    guard picture.width <= most, picture.height <= most else {
      return fail(
        .limit,
        "\(request.name): \(picture.width)x\(picture.height) is larger than \(most)x\(most), the limit. "
          + "Make it smaller: ffmpeg -i FILE -vf scale=iw/2:-2 SMALL.mp4")
    }
    announcedBytes += bytes(of: picture)
    guard waitingCount < Self.mostAnnounced,
      waitingCount < Self.fewAnnounced || announcedBytes < Self.mostAnnouncedBytes
    else { return failByNonsense("lists pictures that do not come") }
    nextNumber = picture.number + 1
    announced.append(picture)
  }

  /// The bytes of a picture, as far as they are known before it comes.
  private func bytes(of picture: AnnouncedPicture) -> Int {
    request.form.byteCount(picture.width, picture.height) ?? 0
  }

  private var nextPicture: AnnouncedPicture? {
    arrived < announced.count ? announced[arrived] : nil
  }

  private var waitingCount: Int { announced.count - arrived }

  // MARK: Pictures

  private func readPictures() {
    guard let picture = nextPicture else { return readSurplus() }
    guard let byteCount = request.form.byteCount(picture.width, picture.height) else {
      return readJPEG(picture)
    }
    let now = PictureSize(width: picture.width, height: picture.height)
    if let size, size != now {
      end.summary.otherSize = now
      return endHere()
    }
    size = now
    if filling.count != byteCount {
      filling = [UInt8](repeating: 0, count: byteCount)
      filled = 0
    }
    let count = filling.withUnsafeMutableBytes { bytes in
      read(pictures, bytes.baseAddress?.advanced(by: filled), byteCount - filled)
    }
    if count < 0, errno == EINTR { return }
    guard count > 0 else { return endPictures() }
    filled += count
    guard filled == byteCount else { return }
    let bytes = filling
    (filling, filled) = ([], 0)
    take(picture, bytes)
  }

  private func take(_ picture: AnnouncedPicture, _ bytes: [UInt8]) {
    arrived += 1
    announcedBytes -= self.bytes(of: picture)
    if arrived > Self.fewAnnounced, 2 * arrived > announced.count {
      announced.removeFirst(arrived)
      arrived = 0
    }
    lastProgress = .now
    guard let ticks = picture.ticks, lastTicks.map({ ticks > $0 }) ?? true,
      let time = nanoseconds(ticks)
    else {
      end.summary.untimedCount += 1
      return
    }
    lastTicks = ticks
    firstTicks = firstTicks ?? ticks
    end.summary.pictureCount += 1
    queue.add(
      VideoPicture(
        number: end.summary.pictureCount - 1, ticks: ticks, nanoseconds: time,
        width: picture.width, height: picture.height, bytes: bytes), end.summary)
  }

  /// The time from the first picture on. `nil`: longer than centuries.
  private func nanoseconds(_ ticks: Int64) -> Int64? {
    let passed = ticks.subtractingReportingOverflow(firstTicks ?? ticks)
    return passed.overflow ? nil : end.summary.timeBase?.nanoseconds(passed.partialValue)
  }

  /// Reads a part of a JPEG behind its head: `Content-length: 1234`, in lines until an empty one.
  private func readJPEG(_ picture: AnnouncedPicture) {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(pictures, &chunk, chunk.count)
    if count < 0, errno == EINTR { return }
    guard count > 0 else { return endPictures() }
    parts += chunk[..<count]
    while let picture = nextPicture {
      let blank = Array("\r\n\r\n".utf8)
      guard let head = parts.firstRange(of: blank) else {
        if parts.count > Self.longestLine { failByNonsense("prints no JPEG") }
        return
      }
      let lines = String(decoding: parts[..<head.lowerBound], as: UTF8.self).split {
        $0.isNewline
      }
      let length = lines.lazy.compactMap { line in
        line.lowercased().hasPrefix("content-length: ") ? Int(line.dropFirst(16)) : nil
      }.first
      guard let length, (1...Self.mostJPEGBytes).contains(length) else {
        return failByNonsense("prints no JPEG")
      }
      guard parts.count >= head.upperBound + length else { return }
      let bytes = Array(parts[head.upperBound..<(head.upperBound + length)])
      parts.removeSubrange(..<(head.upperBound + length))
      if parts.starts(with: [0x0D, 0x0A]) { parts.removeFirst(2) }
      take(picture, bytes)
    }
  }

  /// Nothing may come behind the last picture.
  private func readSurplus() {
    var byte: [UInt8] = [0, 0]
    let count = read(pictures, &byte, 2)
    if count < 0, errno == EINTR { return }
    let isEndOfLine = request.form.byteCount(1, 1) == nil && byte == [0x0D, 0x0A]
    if count > 0, !isEndOfLine {
      return failByNonsense("prints more than the pictures that it lists")
    }
    if count <= 0 { endPictures() }
  }

  private func endPictures() {
    close(pictures)
    pictures = -1
    // A picture that was listed and has not come.
    if waitingCount > 0 { end.summary.endsEarly = true }
    (announced, arrived) = ([], 0)
  }

  /// Reads no more, though the clip goes on.
  private func endHere() {
    for pipe in [pictures, words] where pipe >= 0 { close(pipe) }
    (pictures, words) = (-1, -1)
  }

  // MARK: The end

  /// How long a decoder that is done may take to end.
  private static let patience = Duration.seconds(2)

  /// Waits for the decoder's end, or brings it about. `nil`: it did not end by itself.
  private func ended() -> Int32? {
    let last = ContinuousClock.now + Self.patience
    let isOver = end.problem == nil && !queue.hasStopped && end.summary.otherSize == nil
    while isOver, ContinuousClock.now < last {
      if let status = process.statusIfEnded() {
        // A child that it started may be left.
        kill(-process.pid, SIGKILL)
        return status
      }
      usleep(1000)
    }
    kill(-process.pid, SIGKILL)
    process.waitForEnd()
    return nil
  }

  private func conclude(status: Int32?) {
    guard end.problem == nil, !queue.hasStopped else { return }
    let signal = (status ?? 0) & 0x7f
    if end.summary.pictureCount > 0 {
      if let status, status != 0 { end.summary.endsEarly = true }
      return
    }
    if end.summary.untimedCount > 0 {
      return fail(
        .noPictures,
        "\(request.name): its pictures have no times. Put them into a file that has some, such as MP4"
      )
    }
    if signal != 0 {
      return fail(
        .decoder,
        "\(request.name): the decoder ended by signal \(signal). Try another ffmpeg with --decoder")
    }
    if let status, status == 0, end.lastError == nil, end.summary.facts.container == nil {
      return failByNonsense("lists no pictures")
    }
    fail(
      .noPictures,
      "\(request.name): ffmpeg finds no pictures in it"
        + (end.lastError.map { ": \($0)" } ?? ""))
  }
}

extension String {
  /// Without blanks and full stops at the end.
  fileprivate var trimmedOfDots: String {
    var text = self[...]
    while let last = text.last, last == " " || last == "." { text.removeLast() }
    return String(text)
  }
}
