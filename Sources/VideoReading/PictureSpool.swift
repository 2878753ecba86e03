import KymographCLibrary

/// Grey pictures in a file without a name, which are read back from the last one on.
///
/// The first of each ``group`` is whole. Another one is the difference to the picture before: runs of bytes that are the
/// same, and runs of bytes that are not. A screen recording at rest takes nearly nothing.
package final class PictureSpool {
  private let descriptor: Int32
  private let byteCount: Int
  /// Where each picture begins in the file.
  private var starts: [off_t] = []
  private var end: off_t = 0
  private var newest: [UInt8] = []
  /// The pictures of the group that was read last.
  private var unpacked: (first: Int, pictures: [[UInt8]]) = (-1, [])

  /// So many pictures are unpacked at once, and about so many bytes of them.
  private static let (mostInGroup, mostBytes) = (16, 24 << 20)
  private let group: Int

  /// - Parameters:
  ///   - folder: Where the file is made. It is gone with this value.
  ///   - byteCount: The bytes of a picture.
  package init(in folder: String, byteCount: Int) throws(VideoError) {
    let path = folder + "/pictures"
    descriptor = openFile(path)
    guard descriptor >= 0 else {
      throw VideoError(
        .noSpace, "\(folder) takes no file for pictures: \(String(cString: strerror(errno)))")
    }
    unlink(path)
    self.byteCount = byteCount
    group = max(2, min(Self.mostInGroup, Self.mostBytes / max(1, byteCount)))
  }

  deinit { close(descriptor) }

  package var count: Int { starts.count }

  /// Adds a picture behind the others.
  ///
  /// - Throws: ``VideoError``: the disk is full.
  package func append(_ picture: [UInt8]) throws(VideoError) {
    let isWhole = starts.count % group == 0
    let packed = isWhole ? picture : Self.difference(of: picture, to: newest)
    var written = 0
    while written < packed.count {
      let count = packed[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw VideoError(
          .noSpace,
          "the temporary folder takes no more pictures: \(String(cString: strerror(errno))). "
            + "Mark the elements at the beginning, or record a shorter stretch with --from and --to"
        )
      }
      written += count
    }
    starts.append(end)
    end += off_t(packed.count)
    newest = picture
  }

  /// A picture by its number. Going down by one costs a picture's copy, and at each group its unpacking.
  package func picture(_ number: Int) throws(VideoError) -> [UInt8] {
    let first = number / group * group
    if unpacked.first != first {
      unpacked = (-1, [])
      var pictures: [[UInt8]] = []
      for index in first..<min(first + group, starts.count) {
        let packed = try bytes(of: index)
        if let before = pictures.last {
          guard let picture = Self.restored(packed, onto: before) else { throw Self.damaged }
          pictures.append(picture)
        } else {
          pictures.append(packed)
        }
      }
      unpacked = (first, pictures)
    }
    return unpacked.pictures[number - first]
  }

  private static let damaged = VideoError(
    .noSpace, "a temporary file was changed by another program")

  private func bytes(of number: Int) throws(VideoError) -> [UInt8] {
    let next = number + 1 < starts.count ? starts[number + 1] : end
    let length = Int(next - starts[number])
    var bytes = [UInt8](repeating: 0, count: length)
    var filled = 0
    while filled < length {
      let count = bytes.withUnsafeMutableBytes { bytes in
        pread(
          descriptor, bytes.baseAddress?.advanced(by: filled), length - filled,
          starts[number] + off_t(filled))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.damaged }
      filled += count
    }
    return bytes
  }

  // MARK: Differences

  /// A shorter run of equal bytes is not worth its two numbers.
  private static let shortestRun = 8

  /// Pairs of a count of equal bytes and a count of others, with these behind.
  private static func difference(of picture: [UInt8], to before: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    packed.reserveCapacity(picture.count / 8)
    picture.withUnsafeBufferPointer { new in
      before.withUnsafeBufferPointer { old in
        var start = 0
        while start < new.count {
          var same = start
          while same < new.count, new[same] == old[same] { same += 1 }
          // Others go on until enough bytes are equal.
          var (other, equal) = (same, 0)
          while other < new.count, equal < shortestRun {
            equal = new[other] == old[other] ? equal + 1 : 0
            other += 1
          }
          if equal == shortestRun { other -= equal }
          put(same - start, into: &packed)
          put(other - same, into: &packed)
          packed.append(contentsOf: UnsafeBufferPointer(rebasing: new[same..<other]))
          start = other
        }
      }
    }
    return packed
  }

  private static func restored(_ packed: [UInt8], onto before: [UInt8]) -> [UInt8]? {
    var picture = before
    var (read, place) = (0, 0)
    func number() -> Int? {
      var (value, shift) = (0, 0)
      while read < packed.count, shift < 35 {
        let byte = packed[read]
        read += 1
        value |= Int(byte & 0x7f) << shift
        if byte < 0x80 { return value }
        shift += 7
      }
      return nil
    }
    while read < packed.count {
      guard let same = number(), let other = number() else { return nil }
      guard place + same + other <= picture.count, read + other <= packed.count else { return nil }
      place += same
      picture.replaceSubrange(place..<(place + other), with: packed[read..<(read + other)])
      place += other
      read += other
    }
    return picture
  }

  /// Seven bits a byte, the lowest first.
  private static func put(_ number: Int, into packed: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      packed.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    packed.append(UInt8(rest))
  }
}

/// A new file that nobody else may read.
private func openFile(_ path: String) -> Int32 {
  open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
}
