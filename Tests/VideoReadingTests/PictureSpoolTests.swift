import Foundation
import TestSupport
import Testing
import VideoReading

@Suite struct PictureSpoolTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Pictures that share most bytes with the one before, all, or none.
  private static func pictures(_ count: Int, of size: Int) -> [[UInt8]] {
    var random = SplitMix(seed: 7)
    var picture = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
    return (0..<count).map { number in
      switch number % 4 {
      case 0: break
      case 1: picture = picture.map { $0 &+ 1 }
      case 2: for place in stride(from: 3, to: size, by: 7) { picture[place] &+= 9 }
      default: picture[size - 1] &+= 1
      }
      return picture
    }
  }

  @Test(arguments: [1, 2, 63, 5000])
  func `pictures come back from the last one on`(size: Int) throws {
    let pictures = Self.pictures(41, of: size)
    let spool = try PictureSpool(in: folder.url.path, byteCount: size)
    for picture in pictures { try spool.append(picture) }
    #expect(spool.count == 41)
    for number in (0..<41).reversed() {
      #expect(try spool.picture(number) == pictures[number], "\(number)")
    }
    #expect(try spool.picture(17) == pictures[17])
  }

  @Test func `the file has no name`() throws {
    let spool = try PictureSpool(in: folder.url.path, byteCount: 9)
    try spool.append(Array("123456789".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test func `a folder that takes no file is said`() throws {
    let error = #expect(throws: VideoError.self) {
      try PictureSpool(in: folder.path("none"), byteCount: 9)
    }
    #expect(error?.kind == .noSpace)
  }
}
