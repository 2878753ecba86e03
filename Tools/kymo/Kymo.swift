@main struct Kymo { static func main() {} }
