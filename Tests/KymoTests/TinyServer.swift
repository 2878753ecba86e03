import Foundation

/// A server on a port of this machine that gives every request the same answer.
final class TinyServer: Sendable {
  /// The address of its only page.
  let address: String
  private let listener: Int32

  /// Starts it.
  ///
  /// - Parameters:
  ///   - status: The status of HTTP that each request gets.
  ///   - body: The page.
  init(status: Int, body: String) throws {
    #if canImport(Darwin)
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    self.listener = listener
    address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))/"
    let answer = Array(
      ("HTTP/1.1 \(status) Answer\r\nContent-Type: text/html\r\nContent-Length: \(body.utf8.count)\r\n"
        + "Connection: close\r\n\r\n\(body)").utf8)
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        Self.serve(connection, answer)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// Reads a request up to its empty line, and answers.
  private static func serve(_ connection: Int32, _ answer: [UInt8]) {
    var (request, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while request.suffix(4) != [13, 10, 13, 10], request.count < 1 << 16 {
      let count = read(connection, &chunk, chunk.count)
      guard count > 0 else { break }
      request += chunk[..<count]
    }
    _ = write(connection, answer, answer.count)
    close(connection)
  }
}
