import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** Serves one MongoDB in memory on loopback for tests. Prints its URL when it listens; stops on SIGTERM or when stdin closes. */
public final class Main {
    /** The version that current drivers require. */
    private static final class Version7 implements MongoVersion {
        @Override
        public List<Integer> getVersionArray() {
            return List.of(7, 0, 0);
        }

        @Override
        public int getWireVersion() {
            return 21;
        }
    }

    public static void main(String[] arguments) throws Exception {
        var backend = new MemoryBackend();
        backend.version(new Version7());
        var server = new MongoServer(backend);
        server.bind("127.0.0.1", 0);
        System.out.println("mongodb://127.0.0.1:" + server.getLocalAddress().getPort() + "/");
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
        System.in.transferTo(java.io.OutputStream.nullOutputStream());
        System.exit(0);
    }
}
